// ridgeline-judge: frames of protocol/messages.hpp on stdin and stdout; started by the agent, one a device.
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "engine/core/error.hpp"
#include "engine/verifier/torch_setup.hpp"
#include "engine/worker/judge/backends/cuda_backend.hpp"
#include "engine/worker/judge/backends/host_backend.hpp"
#include "engine/worker/judge/scratch.hpp"
#include "engine/worker/judge/serve.hpp"

namespace {

/// Eager LibTorch allocates its outputs; recycling that memory instead of giving it back to the kernel keeps
/// page faults out of the baseline, which would flatter candidates.
void keep_freed_memory() {
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

using Python = std::optional<ridgeline::judge::PythonProgram>;

/// The interpreter that the agent found (JSON), with the library that stands beside this program.
Python python_from(const std::string& text) {
  if (text.empty()) return std::nullopt;
  try {
    const auto found = nlohmann::json::parse(text);
    ridgeline::judge::PythonProgram python;
    python.program = found.at("program").get<std::string>();
    for (const auto& folder : found.at("folders")) python.folders.emplace_back(folder.get<std::string>());
    python.torch_version = found.at("torch_version");
    python.library =
        std::filesystem::read_symlink("/proc/self/exe").parent_path() / "libridgeline-python-runner.so";
    if (std::filesystem::exists(python.library)) return python;
    std::fprintf(stderr, "ridgeline-judge: %s is not there, so candidates in torch are refused\n",
                 python.library.c_str());
    return std::nullopt;
  } catch (const nlohmann::json::exception& error) {
    throw ridgeline::BadInput(std::string("--python: ") + error.what());
  }
}

std::unique_ptr<ridgeline::judge::Backend> backend_for(const std::string& device, const Python& python,
                                                       std::size_t device_memory) {
  if (device == "cpu:0") return std::make_unique<ridgeline::judge::HostBackend>(python);
  if (device.starts_with("cuda:"))
    return std::make_unique<ridgeline::judge::CudaBackend>(std::atoi(device.c_str() + 5), python,
                                                           device_memory);
  throw ridgeline::BadInput("--device " + device + " is neither cpu:0 nor cuda:N");
}

/// Threads of the judge's own computing: one where the baseline is timed on the CPU that the judge computes
/// on. Beside a GPU, the judge's comparisons are what takes time.
int threads_for(const std::string& device, unsigned wanted) {
  constexpr unsigned most = 16;
  const unsigned share = wanted > 0 ? wanted : std::thread::hardware_concurrency();
  return device.starts_with("cuda:") ? static_cast<int>(std::clamp(share, 1U, most)) : 1;
}

int run(const std::filesystem::path& runner, const std::filesystem::path& parent, const std::string& device,
        const Python& python, std::size_t device_memory, unsigned threads) {
  if (!std::filesystem::exists(runner))
    throw ridgeline::BadInput(runner.string() +
                              " is not there: it stands beside ridgeline-judge, or is named by --runner");
  ::signal(SIGPIPE, SIG_IGN);
  keep_freed_memory();
  ridgeline::verifier::make_deterministic(threads_for(device, threads));
  const ridgeline::judge::Scratch scratch(parent);
  ridgeline::judge::Judge judge(
      {.runner = runner, .scratch = scratch.path(), .python = python, .cores = threads},
      backend_for(device, python, device_memory));
  ridgeline::judge::serve(judge, STDIN_FILENO, STDOUT_FILENO);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Judges built candidates: reads requests from stdin, writes verdicts to stdout.");
  std::string runner =
      (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "ridgeline-runner").string();
  std::string parent = std::filesystem::temp_directory_path().string();
  app.add_option("--runner", runner, "path of ridgeline-runner");
  app.add_option("--scratch", parent, "folder for temporary files");
  std::string device = "cpu:0";
  app.add_option("--device", device, "what candidates run on: cpu:0, cuda:0, cuda:1, …");
  std::size_t device_memory = 0;
  app.add_option("--device-memory", device_memory, "bytes of a GPU that judging may take (default: all)");
  unsigned threads = 0;
  app.add_option("--threads", threads, "its share of the cores (default: all)");
  std::string python;
  app.add_option("--python", python, "the interpreter for modules of torch, as JSON from the agent");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(runner, parent, device, python_from(python), device_memory, threads);
  } catch (const ridgeline::Error& error) {
    std::fprintf(stderr, "ridgeline-judge: %s\n", error.what());
    return error.exit_code();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ridgeline-judge: %s\n", error.what());
    return 1;
  }
}
