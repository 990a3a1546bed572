// Builds candidates with the builders of engine/worker/languages, which are made when they are first wanted.
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
  /// `cache` is shared with other workers of this user and kept under `cache_limit` bytes (0: no limit);
  /// `level` is what most requests will want.
  CompilerBuilder(languages::MachineTools tools, std::filesystem::path python_runner,
                  std::filesystem::path cache, std::uint64_t cache_limit, sandbox::Isolation level,
                  std::function<void(std::string)> log);

  /// What `cuda` is built for where a request's flags name no architecture. Before the first request.
  void build_for(std::string cuda_architecture);

  BuildOutcome build(const protocol::Evaluate& request) override;
  void warm_up() override;
  void expect_modules() override;
  /// Ends what waits for further requests, with its folders.
  void wind_down();

 private:
  struct Confined {
    languages::BuilderMeans means;
    std::map<Language, std::unique_ptr<languages::LanguageBuilder>> builders;
  };
  /// At that isolation level; empty where something is missing for that language.
  const languages::LanguageBuilder* builder_at(sandbox::Isolation level, Language language);
  languages::BuilderMeans means_at(sandbox::Isolation level);
  languages::BuildResult build_at(sandbox::Isolation level, const protocol::Evaluate& request);

  languages::MachineTools tools_;
  std::filesystem::path python_runner_;
  std::filesystem::path cache_;
  std::uint64_t cache_limit_;
  sandbox::Isolation level_;
  std::function<void(std::string)> log_;
  std::mutex mutex_;  ///< of confined_; a builder itself may be used by many threads
  std::map<sandbox::Isolation, Confined> confined_;
  std::mutex architecture_mutex_;
  std::string cuda_architecture_ = languages::default_cuda_architecture;
};

/// $XDG_CACHE_HOME/ridgeline/builds, or the same under ~/.cache, or under the temporary folder.
std::filesystem::path default_build_cache();

}  // namespace ridgeline::agent
