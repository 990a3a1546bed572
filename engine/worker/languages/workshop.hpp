// Holds what the compilers of all languages share: the sandboxed host compiler, trampolines compiled once a
// task, and libraries kept by the hash of all that went into them.
//
// Threads: any number at once; each build in a scratch folder of its own.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/hash.hpp"
#include "engine/core/task.hpp"
#include "engine/worker/languages/build_result.hpp"
#include "engine/worker/languages/build_scratch.hpp"
#include "engine/worker/languages/build_settings.hpp"
#include "engine/worker/languages/toolchain.hpp"
#include "engine/worker/sandbox/policy.hpp"

namespace ridgeline::languages {

/// Names the file that a compiler has to leave in its scratch folder.
inline constexpr std::string_view kLibraryFile = "kernel.so";

class Workshop {
 public:
  /// Throws MachineCannot.
  explicit Workshop(BuildSettings settings);

  const BuildSettings& settings() const { return settings_; }
  BuildCache& cache() const { return *cache_; }
  BuildScratch scratch() const { return BuildScratch{settings_.cache}; }

  /// Runs the host compiler in the scratch folder, making position-independent code. `readable` are paths
  /// beyond the system and the scratch folder.
  sandbox::ConfinedExit run(const Toolchain& host, const BuildScratch& scratch,
                            std::vector<std::string> arguments,
                            const std::vector<std::filesystem::path>& readable = {}) const;

  /// Runs any compiler in its sandbox and under the settings' limits. Its messages name files as they stand
  /// in the scratch folder or the cache, without this machine's paths: they go into prompts and stores.
  sandbox::ConfinedExit start(sandbox::Policy policy, const BuildScratch& scratch,
                              const std::vector<std::string>& words) const;

  struct Object {
    std::filesystem::path path;
    BuildHold hold;
  };
  /// Returns a compiler's messages, naming files as they stand in the scratch folder, the cache or `others`.
  std::string without_paths(std::string said, const BuildScratch& scratch,
                            const std::vector<std::filesystem::path>& others = {}) const;

  /// Returns the task's trampoline, compiled unless it was before. Throws MachineCannot.
  Object trampoline(const Toolchain& host, const Task& task, Language language) const;

  /// Returns what an earlier build left under this key, with the kernels' resources that were kept in it.
  std::optional<BuildArtefact> built_before(const Hash& key, const std::vector<std::string>& flags) const;

  /// Moves the scratch folder's library into the cache. `made` says how it was built.
  BuildArtefact keep(const BuildScratch& scratch, const Hash& key, BuildArtefact made) const;

 private:
  BuildSettings settings_;
  std::unique_ptr<BuildCache> cache_;
};

}  // namespace ridgeline::languages
