// Says how a build ended: a library, or a reason and the compiler's own words.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/candidate.hpp"
#include "engine/core/kernel_resources.hpp"
#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"
#include "engine/worker/languages/build_cache.hpp"
#include "engine/worker/sandbox/confined_exit.hpp"

namespace ridgeline::languages {

struct BuildArtefact {
  std::filesystem::path library;  // in the cache folder, named by its key
  std::uintmax_t bytes = 0;
  bool cached = false;  // came out of the cache; then nothing was compiled and `log` is empty
  double cpu_seconds = 0;
  std::string log;   // warnings
  std::string note;  // one line: by which way it was built, where there are several
  std::vector<std::string> flags;
  std::vector<KernelResources> resources;  // of GPU kernels; out of the cache too
  BuildHold hold;                          // the library is not evicted as long as this lives
};

struct BuildFailure {
  Reason reason = Reason::compile_error;
  std::string detail;  // one line: the first error, or which limit
  std::string log;     // bounded; diagnostics name source_file() (the candidate) or `signature_check`
  std::vector<std::string> flags;
};

using BuildResult = std::variant<BuildArtefact, BuildFailure>;

/// Decides why a build failed, from the compiler's exit, which is not ok(), and its log; no I/O.
BuildFailure classify_compile(const sandbox::ConfinedExit& exit, const sandbox::Limits& limits);
/// Decides as classify_compile, and knows the error of a source without the task's entry point.
BuildFailure classify_build(const sandbox::ConfinedExit& exit, const sandbox::Limits& limits,
                            const Task& task, Language language);

}  // namespace ridgeline::languages
