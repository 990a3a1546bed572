#include "engine/worker/agent/worker_main.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/core/available_cpus.hpp"
#include "engine/worker/agent/capabilities.hpp"
#include "engine/worker/agent/compiler_builder.hpp"
#include "engine/worker/agent/feed.hpp"
#include "engine/worker/agent/gpu_choice.hpp"
#include "engine/worker/agent/judge_process.hpp"
#include "engine/worker/agent/kill_children.hpp"
#include "engine/worker/agent/pci_locality.hpp"
#include "engine/worker/agent/scratch_folder.hpp"
#include "engine/worker/languages/registry/registry.hpp"
#include "engine/worker/protocol/frame.hpp"

namespace ridgeline::agent {
namespace {

void log(const std::string& line) {
  std::fprintf(stderr, "%s\n", line.c_str());
}

/// Blocks the signals that end a worker, in this thread and all that it will start, and returns a descriptor
/// to read them from.
int block_signals() {
  // A judge or engine that died shows as an error of write, not as the end of this worker.
  ::signal(SIGPIPE, SIG_IGN);
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGTERM);
  ::sigaddset(&set, SIGINT);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  return ::signalfd(-1, &set, SFD_CLOEXEC);
}

std::string beside_this_program(const char* name) {
  std::error_code error;
  return (std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / name).string();
}

/// The builder of a worker without a compiler. It is never called, because the agent refuses the requests
/// before.
class NoBuilder final : public Builder {
 public:
  BuildOutcome build(const protocol::Evaluate&) override {
    BuildOutcome outcome;
    outcome.status = Status::unavailable;
    outcome.reason = Reason::compiler_missing;
    outcome.detail = languages::no_compiler;
    return outcome;
  }
};

/// Returns null without a compiler.
std::unique_ptr<CompilerBuilder> make_builder(const Capabilities& capabilities, const Options& options) {
  if (!capabilities.tools.host) return nullptr;
  const auto cache = options.cache.empty() ? default_build_cache() : std::filesystem::absolute(options.cache);
  return std::make_unique<CompilerBuilder>(
      capabilities.tools, beside_this_program("libridgeline-python-runner.so"), cache, options.cache_limit,
      sandbox::best_level(capabilities.isolation), log);
}

/// Returns what the judge must know about the interpreter, as JSON; judge/main.cpp reads it.
std::string python_argument(const languages::PythonToolchain& python) {
  return nlohmann::json{
      {"program", python.program}, {"folders", python.folders}, {"torch_version", python.torch_version}}
      .dump();
}

Agent::MakeJudge judge_connections(const Options& options, const Capabilities& capabilities,
                                   const std::filesystem::path& scratch) {
  const std::string judge = options.judge.empty() ? beside_this_program("ridgeline-judge") : options.judge;
  const auto torch = torch_for(judge, options.torch);
  const auto python = capabilities.tools.python ? python_argument(*capabilities.tools.python) : "";
  return [judge, torch, python, scratch,
          memory = options.device_memory](const JudgeOfDevice& device) -> std::unique_ptr<JudgeConnection> {
    JudgeCommand command{{judge, "--scratch", scratch.string()}, torch, device.uuid};
    if (!python.empty()) command.words.insert(command.words.end(), {"--python", python});
    // The CPU's judge is the default; it also describes the machine.
    if (device.name == "cpu:0") return std::make_unique<JudgeProcess>(std::move(command));
    // A judge that sees one GPU knows it as the first.
    command.words.insert(command.words.end(), {"--device", device.uuid.empty() ? device.name : "cuda:0"});
    if (device.threads > 0)
      command.words.insert(command.words.end(), {"--threads", std::to_string(device.threads)});
    if (memory > 0) command.words.insert(command.words.end(), {"--device-memory", std::to_string(memory)});
    return std::make_unique<JudgeProcess>(std::move(command));
  };
}

std::vector<PlannedDevice> planned_devices(const std::vector<protocol::Device>& gpus) {
  std::vector<PlannedDevice> planned;
  for (const auto& gpu : gpus) {
    auto place = pci_locality(gpu.bus_id);
    planned.push_back({device_selector(gpu), place.numa_node, std::move(place.local_cpus)});
  }
  return planned;
}

/// Finds the tools and the isolation of this machine. The judge is added after it was started.
Capabilities find_capabilities(int builders) {
  Capabilities capabilities;
  capabilities.host = host_name();
  capabilities.cores = plan_cores(available_cpus(), {}, builders);
  capabilities.isolation = sandbox::probe_isolation();
  const auto level = sandbox::best_level(capabilities.isolation);
  auto& tools = capabilities.tools;
  tools.host = languages::find_toolchain(level);
  if (tools.host) tools.nvcc = languages::find_nvcc(level, *tools.host);
  const auto python = languages::find_python();
  if (const auto* toolchain = std::get_if<languages::PythonToolchain>(&python)) tools.python = *toolchain;
  if (const auto* none = std::get_if<languages::NoPython>(&python))
    tools.no_python = none->reason + "; fix: " + none->fix;
  return capabilities;
}

/// Stops the judges and the running builds. Waits up to two seconds for the builders, so that each removes
/// its own scratch folder.
void wind_down(Agent& agent) {
  for (int i = 0; i < 200 && !agent.wind_down(); ++i) {
    kill_children();
    ::usleep(10'000);
  }
  kill_children();
}

}  // namespace

void run_worker(const Options& options) {
  const int signals = block_signals();
  std::optional<MailboxFeed> mailbox;
  if (!options.mailbox.empty()) mailbox.emplace(options.mailbox, log);
  // Only frames may go to the engine's pipe. What a library prints to stdout by mistake goes to stderr.
  const int output = ::dup(STDOUT_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);

  ScratchFolder scratch(std::filesystem::temp_directory_path());
  auto capabilities = find_capabilities(options.builders);
  // The feed answers broken messages from its own thread, beside the agent.
  std::mutex writing;
  const Agent::Answer answer = [&](const protocol::FromWorker& message) {
    const std::lock_guard lock(writing);
    if (mailbox) return mailbox->answer(message);
    protocol::send(output, message);
  };
  // These three are never destroyed: detached threads may use them until _exit below.
  const auto compilers = make_builder(capabilities, options);
  NoBuilder none;
  Builder& builder = compilers ? static_cast<Builder&>(*compilers) : none;
  auto settings = agent_settings(capabilities);
  settings.wanted_devices = options.devices;
  settings.plan_cores = [cpus = available_cpus(), wanted = options.builders](const auto& gpus) {
    return plan_cores(cpus, planned_devices(gpus), wanted);
  };
  Agent agent(std::move(settings), builder, judge_connections(options, capabilities, scratch.path()), answer,
              log);
  int status = 0;
  try {
    capabilities.judge = agent.boot();
    capabilities.cores = agent.cores();
    if (compilers) compilers->build_for(cuda_architecture(capabilities));
    answer(make_hello(capabilities));
    std::thread feed([&] {
      if (mailbox)
        mailbox->feed(agent, signals);
      else
        feed_from_stream(agent, STDIN_FILENO, signals, answer, log);
    });
    feed.detach();  // it may block in a read that never returns
    agent.run();
  } catch (const Error& error) {
    log(error.what());
    status = error.exit_code();
  }
  wind_down(agent);
  if (compilers) compilers->wind_down();
  scratch.remove();
  if (mailbox) log(std::to_string(mailbox->answered()) + " requests answered");
  std::fflush(stderr);
  // Without destructors: the feed's thread may still use the agent.
  ::_exit(status);
}

}  // namespace ridgeline::agent
