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
#include "engine/worker/agent/judge_process.hpp"
#include "engine/worker/agent/scratch_folder.hpp"
#include "engine/worker/agent/sweep.hpp"
#include "engine/worker/languages/registry/registry.hpp"
#include "engine/worker/protocol/frame.hpp"

namespace ridgeline::agent {
namespace {

void log(const std::string& line) {
  std::fprintf(stderr, "%s\n", line.c_str());
}

/// Blocks the signals that end a worker, for every thread to come, and gives the descriptor they are read
/// from.
int block_signals() {
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

/// What a worker without a compiler builds with. Never asked: requests are refused before.
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

/// Null without a compiler.
std::unique_ptr<CompilerBuilder> make_builder(const Capabilities& capabilities, const Options& options) {
  if (!capabilities.tools.host) return nullptr;
  const auto cache = options.cache.empty() ? default_build_cache() : std::filesystem::absolute(options.cache);
  return std::make_unique<CompilerBuilder>(
      capabilities.tools, beside_this_program("libridgeline-python-runner.so"), cache, options.cache_limit,
      sandbox::best_level(capabilities.isolation), log);
}

/// What the judge must know of the interpreter (judge/main.cpp reads it).
std::string python_argument(const languages::PythonToolchain& python) {
  return nlohmann::json{
      {"program", python.program}, {"folders", python.folders}, {"torch_version", python.torch_version}}
      .dump();
}

Agent::MakeSeat judge_seats(const Options& options, const Capabilities& capabilities,
                            const std::filesystem::path& scratch) {
  const std::string judge = options.judge.empty() ? beside_this_program("ridgeline-judge") : options.judge;
  const auto torch = torch_for(judge, options.torch);
  const auto python = capabilities.tools.python ? python_argument(*capabilities.tools.python) : "";
  return [judge, torch, python, scratch](const std::string& device) -> std::unique_ptr<JudgeSeat> {
    JudgeCommand command{{judge, "--scratch", scratch.string()}, torch};
    if (!python.empty()) command.words.insert(command.words.end(), {"--python", python});
    if (device != "cpu:0") command.words.insert(command.words.end(), {"--device", device});
    return std::make_unique<JudgeProcess>(std::move(command));
  };
}

/// Looks for all but the judge, which has yet to be started.
Capabilities find_capabilities(int builders) {
  Capabilities capabilities;
  capabilities.host = host_name();
  capabilities.cores = plan_cores(available_cpus(), builders);
  capabilities.isolation = sandbox::probe_isolation();
  const auto level = sandbox::best_level(capabilities.isolation);
  auto& tools = capabilities.tools;
  tools.host = languages::find_toolchain(level);
  if (tools.host) tools.nvcc = languages::find_nvcc(level, *tools.host);
  const auto python = languages::find_python();
  if (const auto* found = std::get_if<languages::PythonToolchain>(&python)) tools.python = *found;
  if (const auto* lacking = std::get_if<languages::NoPython>(&python))
    tools.no_python = lacking->reason + "; fix: " + lacking->fix;
  return capabilities;
}

/// Stops the judges and the builds that run, so that their scratch folders are removed by those who made
/// them.
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
  // Frames alone may go to stdout: what a library prints by mistake goes to stderr.
  const int output = ::dup(STDOUT_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);

  ScratchFolder scratch(std::filesystem::temp_directory_path());
  auto capabilities = find_capabilities(options.builders);
  std::mutex writing;
  const Agent::Answer answer = [&](const protocol::FromWorker& message) {
    const std::lock_guard lock(writing);
    if (mailbox) return mailbox->answer(message);
    protocol::send(output, message);
  };
  // Never destroyed: threads that may be anywhere use all three until the process ends below.
  const auto compilers = make_builder(capabilities, options);
  NoBuilder none;
  Builder& builder = compilers ? static_cast<Builder&>(*compilers) : none;
  Agent agent(agent_settings(capabilities), builder, judge_seats(options, capabilities, scratch.path()),
              answer, log);
  int status = 0;
  try {
    capabilities.judge = agent.boot();
    if (compilers) compilers->build_for(cuda_architecture(capabilities));
    answer(make_hello(capabilities));
    std::thread feed([&] {
      if (mailbox)
        mailbox->feed(agent, signals);
      else
        feed_from_stream(agent, STDIN_FILENO, signals, answer, log);
    });
    feed.detach();  // it may be in a read that never returns
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
  ::_exit(status);
}

}  // namespace ridgeline::agent
