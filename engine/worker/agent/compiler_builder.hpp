// Builds candidates with the builders of engine/worker/languages. It makes each builder at its first use.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "engine/worker/agent/ports.hpp"
#include "engine/worker/languages/flags/cuda_flags.hpp"
#include "engine/worker/languages/language_support.hpp"

namespace ridgeline::agent {

class CompilerBuilder final : public Builder {
 public:
  /// `python_runner` is the library that runs Python answers. `cache` is shared with other workers of this
  /// user and kept under `cache_limit` bytes (0: no limit). `level` is the isolation that most requests will
  /// have; `warm_up` and `expect_modules` prepare the builders for it. `log` takes lines for people, from any
  /// thread.
  CompilerBuilder(languages::MachineTools tools, std::filesystem::path python_runner,
                  std::filesystem::path cache, std::uint64_t cache_limit, sandbox::Isolation level,
                  std::function<void(std::string)> log);

  /// Sets the architecture of kernels whose flags name none, for candidates in any language: Python answers
  /// may hold CUDA too. Call it before the first request, since builders may read it once.
  void build_for(std::string cuda_architecture);

  /// Builds at the isolation that the request names. A compiler that is not here is an outcome too.
  BuildOutcome build(const protocol::Evaluate& request) override;
  void warm_up() override;
  void expect_modules() override;
  /// Ends the processes that were started ahead for triton, and removes their folders. Ends the held front
  /// ends with their thread, for which it waits. The interpreter that reads answers in torch is left to the
  /// agent, which kills its children (kill_children.hpp).
  void wind_down();

 private:
  /// The builders that work at one isolation level.
  struct LevelBuilders {
    languages::BuilderMeans means;
    std::map<Language, std::unique_ptr<languages::LanguageBuilder>> builders;
  };
  /// Returns the builder of a language at an isolation level, or null if the language cannot be built here.
  const languages::LanguageBuilder* builder_at(sandbox::Isolation level, Language language);
  languages::BuilderMeans context_at(sandbox::Isolation level);
  /// Does `work` with the builder of each language at `level_`. If one throws, logs why and what that means
  /// (`otherwise`), and goes on with the next.
  void in_each(void (languages::LanguageBuilder::*work)() const, std::string_view otherwise);
  languages::BuildResult build_at(sandbox::Isolation level, const protocol::Evaluate& request);

  languages::MachineTools tools_;
  std::filesystem::path python_runner_;
  std::filesystem::path cache_;
  std::uint64_t cache_limit_;
  sandbox::Isolation level_;
  std::function<void(std::string)> log_;
  std::mutex mutex_;  ///< guards by_level_; the builders themselves are thread-safe
  std::map<sandbox::Isolation, LevelBuilders> by_level_;
  std::mutex architecture_mutex_;
  std::string cuda_architecture_ = languages::default_cuda_architecture;
};

/// Returns $XDG_CACHE_HOME/ridgeline/builds, or $HOME/.cache/ridgeline/builds. If neither variable is an
/// absolute path, makes ridgeline-builds-<user id> in the temporary folder and returns it. Throws
/// MachineCannot if somebody else made that folder or may write to it.
std::filesystem::path default_build_cache();

}  // namespace ridgeline::agent
