#include "engine/worker/languages/torch_answer/triton_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <fstream>
#include <sstream>

#include "engine/core/error.hpp"
#include "engine/worker/languages/torch_answer/triton_report.hpp"
#include "engine/worker/runner/python/start.hpp"
#include "engine/worker/sandbox/process.hpp"

namespace ridgeline {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::size_t kMostFiles = 1024;
constexpr std::uintmax_t kMostBytes = 256 * kMiB;
constexpr const char* kFolder = "kernels";

Limits limits() {
  Limits limits;
  limits.data = 4096 * kMiB;
  limits.resident = 8192 * kMiB;
  limits.file_size = 256 * kMiB;
  limits.open_files = 256;
  limits.processes = 64;
  limits.cpu_seconds = 120;
  limits.wall_seconds = 300;
  limits.output = kMiB;
  limits.kept_output = 64 * 1024;
  return limits;
}

Policy policy_for(const TritonTools& tools, const BuildScratch& scratch) {
  auto policy = compiler_policy(tools.host, tools.isolation, scratch.path().string());
  policy.limit(limits()).execute(tools.python.program).read(tools.library.string());
  for (const auto& folder : tools.python.folders) policy.add({.path = folder, .optional = true});
  policy.execute(tools.python.triton_package + "/backends/nvidia/bin");  // ptxas
  for (const char* facts : {"/proc/cpuinfo", "/sys/devices/system/cpu"})
    policy.add({.path = facts, .optional = true});
  policy.env("HOME", scratch.path().string()).env("PYTHONNOUSERSITE", "1").env("CC", tools.host.program);
  policy.env("TORCHINDUCTOR_CACHE_DIR", scratch.path().string());
  for (const char* threads : {"OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"})
    policy.env(threads, "1");
  return policy;
}

/// What a runner looks for: kernels, what is known of them, and the modules that launch them.
bool is_wanted(const fs::path& file) {
  const auto name = file.filename().string();
  const bool plain = std::ranges::all_of(name, [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '-' || letter == '_' || letter == '.';
  });
  const auto kind = file.extension();
  return plain && (kind == ".cubin" || kind == ".json" || kind == ".so");
}

std::vector<fs::path> collected(const fs::path& folder) {
  std::vector<fs::path> files;
  std::uintmax_t bytes = 0;
  if (fs::symlink_status(folder).type() != fs::file_type::directory) return files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.symlink_status().type() != fs::file_type::regular || !is_wanted(entry.path())) continue;
    bytes += entry.file_size();
    files.push_back(entry.path());
    if (files.size() > kMostFiles || bytes > kMostBytes)
      throw BadInput(fmt::format("the kernels of an answer are more than {} files or {} MiB", kMostFiles,
                                 kMostBytes / kMiB));
  }
  std::ranges::sort(files);
  return files;
}

/// Empty where there is none, or a link.
std::string text_of(const fs::path& path) {
  if (fs::symlink_status(path).type() != fs::file_type::regular) return {};
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

}  // namespace

std::variant<TritonKernels, BuildFailure> compile_kernels(const TritonTools& tools, const std::string& job,
                                                          const BuildScratch& scratch,
                                                          const std::string& answer) {
  scratch.write("job.json", job);
  fs::create_directory(scratch.file(kFolder));
  auto outcome = spawn(policy_for(tools, scratch),
                       {tools.python.program, "-I", "-B", "-c", runner::python::kStart,
                        tools.library.string(), runner::python::kAhead, scratch.file("job.json").string(),
                        scratch.file(kFolder).string(), scratch.file("told.json").string()})
                     .wait();
  // An answer that ends or crashes is a failure where it is measured; one that is never done is one here.
  const bool over = outcome.ending == Ending::exited || outcome.ending == Ending::signalled;
  if (!over) {
    auto failure = classify_compile(outcome, limits());
    failure.detail = "while its kernels were compiled: " + failure.detail;
    return failure;
  }
  auto report = read_triton_report(text_of(scratch.file("told.json")), answer);
  if (report.failure) return std::move(*report.failure);
  TritonKernels kernels;
  try {
    kernels.files = collected(scratch.file(kFolder));
  } catch (const BadInput& error) {
    return BuildFailure{Reason::compile_error, error.what(), {}, {}};
  }
  kernels.cpu_seconds = outcome.cpu_seconds;
  kernels.whole = report.raised.empty();
  const auto count = std::ranges::count(kernels.files, fs::path(".cubin"),
                                        [](const auto& file) { return file.extension(); });
  kernels.note = fmt::format("{} kernel{} of triton; {:.1f} s of CPU", count, count == 1 ? "" : "s",
                             outcome.cpu_seconds);
  if (!kernels.whole) kernels.note += "; forward was not followed to its end: " + report.raised;
  return kernels;
}

}  // namespace ridgeline
