// Builds `cuda` candidates with nvcc's steps (nvcc/steps.hpp), or nvcc itself if they are not the known ones,
// into libraries that a runner loads, without GPU: confined and cached as the Compiler of `cpp` is.
//
// A candidate is one .cu source whose `extern "C" void kernel_<task>(…, void* stream)` launches its kernels
// on `(cudaStream_t)stream`. CUDA's runtime is linked statically, and the trampoline reports its last error.
//
// Threads: build() from any number at once, as of Compiler.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/candidate.hpp"
#include "engine/core/hash.hpp"
#include "engine/worker/languages/build_result.hpp"
#include "engine/worker/languages/build_settings.hpp"
#include "engine/worker/languages/cuda/nvcc/steps.hpp"
#include "engine/worker/languages/cuda_toolchain.hpp"
#include "engine/worker/languages/flags/cuda_flags.hpp"
#include "engine/worker/languages/workshop.hpp"

namespace ridgeline::languages {

/// Returns the limits of one build: 60 s of CPU a process, 120 s in all, 8 GiB of addresses a process, 256
/// MiB a file, 64 processes. A kernel of a page needs 1 s and 0.4 GiB; templates of a library may need a
/// minute and several.
sandbox::Limits default_cuda_build_limits();

class CudaCompiler {
 public:
  CudaCompiler(CudaToolchain toolchain, BuildSettings settings);

  /// Builds for the default architecture if the flags name none.
  BuildResult build(const Task& task, const Candidate& candidate,
                    const std::vector<std::string>& flags = default_cuda_flags()) const;

  /// Reads the headers ahead for these flags, unless that was done before: 4 to 5 s. Builds before and
  /// without it are right too, and slower. Returns false if nvcc's steps are not the known
  /// ones. Throws
  /// MachineCannot.
  bool warm_up(const std::vector<std::string>& flags = default_cuda_flags()) const;

  const CudaToolchain& toolchain() const { return toolchain_; }

 private:
  sandbox::ConfinedExit compile(const BuildScratch& scratch, const std::vector<std::string>& flags,
                                const std::filesystem::path& trampoline, const Hash& key) const;
  std::vector<std::string> words(const std::vector<std::string>& flags) const;

  CudaToolchain toolchain_;
  Workshop workshop_;
  std::unique_ptr<nvcc::Steps> steps_;
};

}  // namespace ridgeline::languages
