// Builds with the compilers of engine/worker/languages.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "engine/torch_slim/misses.hpp"
#include "engine/worker/agent/ports.hpp"
#include "engine/worker/languages/compiler.hpp"
#include "engine/worker/languages/cuda/cuda_compiler.hpp"
#include "engine/worker/languages/torch_answer/torch_builder.hpp"

namespace ridgeline::agent {

/// The compilers of this machine. nvcc brings the host compiler that it was found with.
struct Compilers {
  languages::Toolchain cpp;
  std::optional<languages::CudaToolchain> cuda;
  std::optional<languages::PythonToolchain> python;
  std::filesystem::path python_runner;  ///< libridgeline-python-runner.so
};

class CompilerBuilder final : public Builder {
 public:
  /// `cache` is shared with other workers of this user and kept under `cache_limit` bytes (0: no limit);
  /// `level` is what most requests will want.
  CompilerBuilder(Compilers compilers, std::filesystem::path cache, std::uint64_t cache_limit,
                  sandbox::Isolation level, std::function<void(std::string)> log);

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
    languages::Compiler cpp;
    std::optional<languages::CudaCompiler> cuda;
    std::optional<torch_answer::TorchBuilder> torch;
  };
  Confined& at(sandbox::Isolation level);
  languages::BuildSettings settings_at(sandbox::Isolation level) const;
  /// Made when the first answer comes, which knows what it is built for.
  const torch_answer::TorchBuilder* torch_at(sandbox::Isolation level);
  std::string compiler_of(Language language) const;
  languages::BuildResult build_at(sandbox::Isolation level, const protocol::Evaluate& request);

  Compilers compilers_;
  std::filesystem::path cache_;
  std::uint64_t cache_limit_;
  sandbox::Isolation level_;
  std::function<void(std::string)> log_;
  torch_slim::Misses misses_;
  std::mutex mutex_;  ///< of the two below; a compiler itself may be used by many threads
  std::map<sandbox::Isolation, Confined> confined_;
  std::string cuda_architecture_ = languages::default_cuda_architecture;
};

/// $XDG_CACHE_HOME/ridgeline/builds, or the same under ~/.cache, or under the temporary folder.
std::filesystem::path default_build_cache();

}  // namespace ridgeline::agent
