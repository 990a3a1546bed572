// Builds candidates with the builders of engine/worker/languages. It makes each builder at its first use.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "engine/worker/agent/ports.hpp"
#include "engine/worker/languages/flags/cuda_flags.hpp"
#include "engine/worker/languages/language_support.hpp"

namespace ridgeline::agent {

class CompilerBuilder final : public Builder {
 public:
  /// `python_runner` is the library that runs Python answers. `cache` is shared with other workers of this
  /// user and kept under `cache_limit` bytes (0: no limit). `level` is the isolation that most requests will
  /// have; `warm_up` prepares the builders for it.
  CompilerBuilder(languages::MachineTools tools, std::filesystem::path python_runner,
                  std::filesystem::path cache, std::uint64_t cache_limit, sandbox::Isolation level,
                  std::function<void(std::string)> log);

  /// Sets the architecture of `cuda` builds whose flags name none. Call it before the first request.
  void build_for(std::string cuda_architecture);

  BuildOutcome build(const protocol::Evaluate& request) override;
  void warm_up() override;
  void expect_modules() override;
  /// Ends the processes that wait for further requests, and removes their folders.
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

/// Returns $XDG_CACHE_HOME/ridgeline/builds, or ~/.cache/ridgeline/builds, or a folder in the temporary
/// folder.
std::filesystem::path default_build_cache();

}  // namespace ridgeline::agent
