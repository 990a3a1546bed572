#include "engine/worker/languages/compiler.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>

#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "engine/worker/languages/prelude.hpp"
#include "engine/worker/languages/trampoline.hpp"
#include "engine/worker/sandbox/process.hpp"

namespace ridgeline {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMiB = 1024 * 1024;

void write_text(const fs::path& path, std::string_view text) {
  std::ofstream file{path, std::ios::binary};
  file << text;
  if (!file.flush())
    throw MachineCannot("cannot write " + path.string() + ": " + std::strerror(errno) +
                        "; mend: free space, or name another cache folder");
}

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, "\n"));
}

/// What every library is built with, and part of its key.
std::vector<std::string> fixed_flags(const Toolchain& toolchain) {
  const bool clang = toolchain.family == Toolchain::Family::clang;
  // -g1: lines for the place of a crash; -z defs: unresolved names fail here and not in the runner.
  std::vector<std::string> flags = {"-g1", clang ? "-ferror-limit=20" : "-fmax-errors=20", "-shared",
                                    "-Wl,-z,defs"};
  if (toolchain.gold) flags.push_back("-fuse-ld=gold");
  return flags;
}

/// The header pulled in what the source declares otherwise: not the candidate's fault.
bool may_clash_with_prelude(const std::string& log) {
  for (const char* word :
       {"redeclar", "redefin", "conflict", "ambiguat", "ambiguous", "previous declaration"})
    if (log.find(word) != std::string::npos) return true;
  return false;
}

}  // namespace

/// A folder for one build inside the cache folder, gone at the end.
class Compiler::Scratch {
 public:
  explicit Scratch(const fs::path& cache) {
    std::string pattern = (cache / "scratch-XXXXXX").string();
    if (!::mkdtemp(pattern.data()))
      throw MachineCannot("cannot make a folder in " + cache.string() + ": " + std::strerror(errno));
    path_ = pattern;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;  // owns the folder
  Scratch& operator=(const Scratch&) = delete;
  fs::path file(std::string_view name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

Limits default_build_limits() {
  Limits limits;
  limits.address_space = 3072 * kMiB;
  limits.file_size = 256 * kMiB;
  limits.open_files = 256;
  limits.processes = 32;
  limits.cpu_seconds = 20;
  limits.wall_seconds = 60;
  limits.output = 16 * kMiB;
  limits.kept_output = 256 * 1024;
  return limits;
}

Compiler::Compiler(Toolchain toolchain, BuildSettings settings)
    : toolchain_(std::move(toolchain)),
      settings_(std::move(settings)),
      cache_(std::make_unique<BuildCache>(settings_.cache, settings_.cache_limit)) {
  settings_.cache = cache_->folder();
}

fs::path Compiler::header_folder(const std::vector<std::string>& flags) const {
  return settings_.cache / ("header-" + sha256_of({kPrelude, toolchain_.fingerprint, joined(flags)}));
}

Outcome Compiler::run(const Scratch& scratch, std::vector<std::string> arguments,
                      const std::vector<fs::path>& readable) const {
  auto policy = compiler_policy(toolchain_, settings_.isolation, scratch.path().string());
  for (const auto& path : readable) policy.read(path.string());
  policy.limits = settings_.limits;
  arguments.insert(arguments.begin(), {toolchain_.program, "-pipe", "-fPIC", "-fno-semantic-interposition"});
  return spawn(policy, arguments).wait();
}

bool Compiler::warm_up(const std::vector<std::string>& flags) const {
  if (toolchain_.family != Toolchain::Family::gcc || first_forbidden(flags)) return false;
  const fs::path folder = header_folder(flags);
  if (cache_->hold(folder)) return true;
  Scratch scratch{settings_.cache};
  write_text(scratch.file("prelude.hpp"), kPrelude);
  auto arguments = flags;
  arguments.insert(arguments.end(), {"-g1", "-x", "c++-header", "prelude.hpp", "-o", "prelude.hpp.gch"});
  if (!run(scratch, std::move(arguments), {}).ok()) return false;
  fs::create_directory(scratch.file("header"));
  for (const char* name : {"prelude.hpp", "prelude.hpp.gch"})
    fs::rename(scratch.file(name), scratch.file("header") / name);
  cache_->keep(scratch.file("header"), folder);
  return true;
}

fs::path Compiler::trampoline_for(const Task& task, BuildHold& hold) const {
  const std::string text = trampoline_source(task);
  const fs::path object =
      settings_.cache / ("trampoline-" + sha256_of({text, toolchain_.fingerprint}) + ".o");
  hold = cache_->hold(object);
  if (hold) return object;
  Scratch scratch{settings_.cache};
  write_text(scratch.file("trampoline.cpp"), text);
  const auto outcome =
      run(scratch, {"-std=gnu++20", "-O2", "-c", "trampoline.cpp", "-o", "trampoline.o"}, {});
  if (!outcome.ok())
    throw MachineCannot("the trampoline of task " + task.name + " did not compile (" + describe(outcome) +
                        "): " + outcome.err.substr(0, 500));
  hold = cache_->keep(scratch.file("trampoline.o"), object);
  return object;
}

Outcome Compiler::compile(const Scratch& scratch, const std::vector<std::string>& flags,
                          const fs::path& trampoline, bool precompiled) const {
  std::vector<fs::path> readable = {trampoline};
  auto arguments = flags;
  const auto fixed = fixed_flags(toolchain_);
  arguments.insert(arguments.end(), fixed.begin(), fixed.end());
  if (precompiled) {
    readable.push_back(header_folder(flags));
    arguments.insert(arguments.end(), {"-include", (header_folder(flags) / "prelude.hpp").string()});
  }
  arguments.insert(arguments.end(), {std::string{kSourceFile}, trampoline.string(), "-o", "kernel.so"});
  return run(scratch, std::move(arguments), readable);
}

BuildResult Compiler::build(const Task& task, const Candidate& candidate,
                            const std::vector<std::string>& flags) const {
  if (candidate.language != Language::cpp)
    return BuildFailure{Reason::unsupported,
                        fmt::format("no compiler for {} here", to_string(candidate.language)),
                        {},
                        flags};
  if (const auto bad = first_forbidden(flags))
    return BuildFailure{Reason::forbidden_flag, "the compiler flag " + *bad + " is not allowed", {}, flags};

  const std::string text = with_signature_check(task, candidate.source);
  const std::string key = sha256_of({text, trampoline_source(task), joined(flags),
                                     joined(fixed_flags(toolchain_)), toolchain_.fingerprint});
  const fs::path library = settings_.cache / (key + ".so");
  if (auto hold = cache_->hold(library))
    return BuildArtefact{library, fs::file_size(library), true, 0, {}, flags, std::move(hold)};

  BuildHold trampoline_hold;
  const fs::path trampoline = trampoline_for(task, trampoline_hold);
  Scratch scratch{settings_.cache};
  write_text(scratch.file(kSourceFile), text);
  const auto header = gains_from_prelude(candidate.source) ? cache_->hold(header_folder(flags)) : nullptr;
  const bool precompiled = header != nullptr;
  Outcome outcome = compile(scratch, flags, trampoline, precompiled);
  if (precompiled && !outcome.ok() && may_clash_with_prelude(outcome.err))
    outcome = compile(scratch, flags, trampoline, false);
  if (!outcome.ok()) {
    auto failure = classify_build(outcome, settings_.limits, task);
    failure.flags = flags;
    return failure;
  }
  const auto bytes = fs::file_size(scratch.file("kernel.so"));
  auto hold = cache_->keep(scratch.file("kernel.so"), library);
  return BuildArtefact{library, bytes,          false, outcome.cpu_seconds, std::move(outcome.err),
                       flags,   std::move(hold)};
}

}  // namespace ridgeline
