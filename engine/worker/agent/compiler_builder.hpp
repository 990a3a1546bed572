// Builds with the compilers of engine/worker/languages.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "engine/worker/agent/ports.hpp"
#include "engine/worker/languages/compiler.hpp"
#include "engine/worker/languages/cuda_compiler.hpp"
#include "engine/worker/languages/torch_answer/torch_builder.hpp"

namespace ridgeline::agent {

/// The compilers of this machine. nvcc brings the host compiler that it was found with.
struct Compilers {
  Toolchain cpp;
  std::optional<CudaToolchain> cuda;
  std::optional<PythonToolchain> python;
  std::filesystem::path python_runner;  ///< libridgeline-python-runner.so
};

class CompilerBuilder final : public Builder {
 public:
  /// `cache` is shared with other workers of this user and kept under `cache_limit` bytes (0: no limit);
  /// `level` is what most requests will want.
  CompilerBuilder(Compilers compilers, std::filesystem::path cache, std::uint64_t cache_limit,
                  Isolation level, std::function<void(std::string)> log);

  /// What `cuda` is built for where a request's flags name no architecture. Before the first request.
  void build_for(std::string cuda_architecture);

  BuildOutcome build(const protocol::Evaluate& request) override;
  void warm_up() override;
  void expect_modules() override;
  /// Ends what waits for further requests, with its folders.
  void wind_down();

 private:
  /// Those of one isolation level.
  struct Confined {
    Compiler cpp;
    std::optional<CudaCompiler> cuda;
    std::optional<TorchBuilder> torch;
  };
  Confined& at(Isolation level);
  BuildSettings settings_at(Isolation level) const;
  /// Made when the first answer comes, which knows what it is built for.
  const TorchBuilder* torch_at(Isolation level);
  std::string compiler_of(Language language) const;
  BuildResult build_at(Isolation level, const protocol::Evaluate& request);

  Compilers compilers_;
  std::filesystem::path cache_;
  std::uint64_t cache_limit_;
  Isolation level_;
  std::function<void(std::string)> log_;
  std::mutex mutex_;  ///< of the two below; a compiler itself may be used by many threads
  std::map<Isolation, Confined> confined_;
  std::string cuda_architecture_ = default_cuda_architecture;
};

/// $XDG_CACHE_HOME/ridgeline/builds, or the same under ~/.cache, or under the temporary folder.
std::filesystem::path default_build_cache();

}  // namespace ridgeline::agent
