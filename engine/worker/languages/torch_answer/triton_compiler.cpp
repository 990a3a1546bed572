#include "engine/worker/languages/torch_answer/triton_compiler.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>

#include "engine/core/error.hpp"
#include "engine/core/file_descriptor.hpp"
#include "engine/worker/languages/torch_answer/triton_report.hpp"
#include "engine/worker/runner/python/start.hpp"
#include "engine/worker/sandbox/process.hpp"

namespace ridgeline::torch_answer {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::size_t kMostFiles = 1024;
constexpr std::uintmax_t kMostBytes = 256 * kMiB;
constexpr const char* kFolder = "kernels";
constexpr std::size_t kToldError = 500;                // characters
constexpr auto kMostWait = std::chrono::minutes(30);   // the cache takes older folders for abandoned ones
constexpr auto kMostWall = std::chrono::seconds(300);  // from the answer on

sandbox::Limits limits() {
  sandbox::Limits limits;
  limits.data = 4096 * kMiB;
  limits.resident = 8192 * kMiB;
  limits.file_size = 256 * kMiB;
  limits.open_files = 256;
  limits.processes = 64;
  limits.cpu_seconds = 120;
  limits.output = kMiB;
  limits.kept_output = 64 * 1024;
  return limits;
}

sandbox::Policy policy_for(const TritonTools& tools, const languages::BuildScratch& scratch) {
  auto policy = languages::compiler_policy(tools.host, tools.isolation, scratch.path().string());
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

/// Returns whether a runner looks for the file: kernels, what is known of them, the modules that launch them.
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

/// The last words of what it said.
std::string end_of(const std::string& said) {
  return said.size() > kToldError ? said.substr(said.size() - kToldError) : said;
}

}  // namespace

struct TritonCompiler::Interpreter {
  std::shared_ptr<languages::BuildScratch> scratch;
  FileDescriptor control;
  sandbox::Child child;
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();

  /// Whether it may still be told of an answer.
  bool waits() {
    return !child.step(std::chrono::nanoseconds(0)) &&
           std::chrono::steady_clock::now() < started + kMostWait && fs::exists(scratch->file(kFolder));
  }
  /// Whether it came as far as the answer: what ended before was no answer's doing.
  bool has_read() const {
    char word = 0;
    return ::recv(control.get(), &word, 1, MSG_DONTWAIT) == 1;
  }

  /// Until the answer is followed to its end. How long it has waited for one does not count.
  sandbox::ConfinedExit run(const std::string& job) {
    scratch->write("job.json", job);
    const auto begin = std::chrono::steady_clock::now();
    static_cast<void>(::send(control.get(), "j", 1, MSG_NOSIGNAL));  // one that has ended is told by its end
    if (auto exit = child.step(kMostWall)) return *std::move(exit);
    auto exit = child.kill_tree();
    exit.ending = sandbox::Ending::wall_limit;
    exit.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return exit;
  }
};

TritonCompiler::TritonCompiler(TritonTools tools) : tools_(std::move(tools)) {}
TritonCompiler::~TritonCompiler() = default;

std::unique_ptr<TritonCompiler::Interpreter> TritonCompiler::start() const {
  auto scratch = std::make_shared<languages::BuildScratch>(tools_.scratch);
  fs::create_directory(scratch->file(kFolder));
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw MachineCannot(std::string("socketpair: ") + std::strerror(errno));
  FileDescriptor ours(ends[0]), theirs(ends[1]);
  auto child = sandbox::spawn(
      policy_for(tools_, *scratch),
      {tools_.python.program, "-I", "-B", "-c", runner::python::kStart, tools_.library.string(),
       runner::python::kAhead, scratch->file("job.json").string(), scratch->file(kFolder).string(),
       scratch->file("told.json").string(), std::to_string(tools_.architecture), runner::python::kWaits},
      {theirs.get()});
  return std::make_unique<Interpreter>(std::move(scratch), std::move(ours), std::move(child));
}

/// The one that waits, or one that is started now.
std::unique_ptr<TritonCompiler::Interpreter> TritonCompiler::take() {
  {
    const std::lock_guard lock(mutex_);
    if (auto next = std::move(next_); next && next->waits()) return next;
  }
  return start();
}

/// Starts the interpreter for the next job. If it cannot be started now, the next job says why.
void TritonCompiler::start_next() {
  {
    const std::lock_guard lock(mutex_);
    if (next_ || starting_ || dropped_) return;
    starting_ = true;
  }
  std::unique_ptr<Interpreter> next;
  try {
    next = start();
  } catch (const std::exception&) {
  }
  const std::lock_guard lock(mutex_);
  starting_ = false;
  if (!dropped_) next_ = std::move(next);
}

void TritonCompiler::drop() {
  const std::lock_guard lock(mutex_);
  dropped_ = true;
  next_.reset();
}

std::variant<TritonKernels, languages::BuildFailure> TritonCompiler::compile(const std::string& job,
                                                                             const std::string& answer) {
  auto interpreter = take();
  start_next();
  auto exit = interpreter->run(job);
  if (!interpreter->has_read()) {  // one that waited may have been ended by whatever ends processes
    interpreter = start();
    exit = interpreter->run(job);
    if (!interpreter->has_read())
      throw MachineCannot(
          fmt::format("the Python that compiles triton's kernels does not come as far as the answer: {} {}; "
                      "fix: see that {} "
                      "imports torch and triton, and that there is memory for it",
                      sandbox::describe(exit), end_of(exit.err), tools_.python.program));
  }
  // An answer that ends or crashes is a failure where it is measured; one that is never done is one here.
  const bool over = exit.ending == sandbox::Ending::exited || exit.ending == sandbox::Ending::signalled;
  if (!over) {
    auto bounds = limits();
    bounds.wall_seconds = static_cast<double>(kMostWall.count());
    auto failure = languages::classify_compile(exit, bounds);
    failure.detail = "while its kernels were compiled: " + failure.detail;
    return failure;
  }
  const auto& scratch = *interpreter->scratch;
  auto report = read_triton_report(text_of(scratch.file("told.json")), answer);
  if (report.failure) return std::move(*report.failure);
  TritonKernels kernels;
  kernels.folder = interpreter->scratch;
  try {
    kernels.files = collected(scratch.file(kFolder));
  } catch (const BadInput& error) {
    return languages::BuildFailure{Reason::compile_error, error.what(), {}, {}};
  }
  kernels.cpu_seconds = exit.cpu_seconds;
  kernels.whole = report.raised.empty();
  const auto count = std::ranges::count(kernels.files, fs::path(".cubin"),
                                        [](const auto& file) { return file.extension(); });
  kernels.note =
      fmt::format("{} kernel{} of triton; {:.1f} s of CPU", count, count == 1 ? "" : "s", exit.cpu_seconds);
  if (!kernels.whole) kernels.note += "; forward was not followed to its end: " + report.raised;
  return kernels;
}

}  // namespace ridgeline::torch_answer
