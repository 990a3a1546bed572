// Builds with the compilers of engine/worker/languages.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>

#include "engine/worker/agent/ports.hpp"
#include "engine/worker/languages/compiler.hpp"

namespace ridgeline::agent {

class CompilerBuilder final : public Builder {
 public:
  /// `cache` is shared with other workers of this user and kept under `cache_limit` bytes (0: no limit);
  /// `level` is what most requests will want.
  CompilerBuilder(Toolchain toolchain, std::filesystem::path cache, std::uint64_t cache_limit,
                  Isolation level, std::function<void(std::string)> log);

  BuildOutcome build(const protocol::Evaluate& request) override;
  void warm_up() override;

 private:
  Compiler& at(Isolation level);

  Toolchain toolchain_;
  std::filesystem::path cache_;
  std::uint64_t cache_limit_;
  Isolation level_;
  std::function<void(std::string)> log_;
  std::mutex mutex_;  ///< of the map; a compiler itself may be used by many threads
  std::map<Isolation, Compiler> compilers_;
};

/// $XDG_CACHE_HOME/ridgeline/builds, or the same under ~/.cache, or under the temporary folder.
std::filesystem::path default_build_cache();

}  // namespace ridgeline::agent
