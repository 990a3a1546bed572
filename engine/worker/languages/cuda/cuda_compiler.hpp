// Builds `cuda` candidates into libraries that a runner loads. Needs no GPU. Runs the programs that nvcc
// would run (nvcc/steps.hpp), which is faster; if these are not the known ones, runs nvcc itself. Builds are
// confined, and cached by all that went into them, as those of `cpp` are.
//
// A candidate is one .cu source whose `extern "C" void kernel_<task>(…, void* stream)` launches its kernels
// on `(cudaStream_t)stream`. CUDA's runtime is linked statically. The trampoline, generated code through
// which a runner calls the candidate (trampoline.hpp), reports the runtime's last error. A source that needs
// relocatable device code, as one whose kernels launch kernels, is built again so (relocatable.hpp).
//
// Threads: any number may call build() at once.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/candidate.hpp"
#include "engine/core/hash.hpp"
#include "engine/worker/languages/build_result.hpp"
#include "engine/worker/languages/build_settings.hpp"
#include "engine/worker/languages/cuda/device_link.hpp"
#include "engine/worker/languages/cuda/nvcc/steps.hpp"
#include "engine/worker/languages/cuda_toolchain.hpp"
#include "engine/worker/languages/flags/cuda_flags.hpp"
#include "engine/worker/languages/workshop.hpp"

namespace ridgeline::languages {

/// Returns the limits of one build: 60 s of CPU and 8 GiB of address space per process, 120 s of wall time,
/// 256 MiB per file, 64 processes. A kernel of a page needs 1 s and 0.4 GiB; a library of templates may need
/// a minute and several GiB.
sandbox::Limits default_cuda_build_limits();

class CudaCompiler {
 public:
  CudaCompiler(CudaToolchain toolchain, BuildSettings settings);

  /// Builds for the default architecture if the flags name none. The artefact's flags have -rdc=true where
  /// the source was built as relocatable code.
  BuildResult build(const Task& task, const Candidate& candidate,
                    const std::vector<std::string>& flags = default_cuda_flags()) const;

  /// Prepares CUDA's headers for these flags (nvcc/headers.hpp), unless done before: 4 to 5 s. build() needs
  /// no warm_up; it is slower without, and the second build with the same flags does the same. Returns false
  /// if it is of no use: a flag is forbidden, or the programs that nvcc would run are not the known ones.
  /// Throws MachineCannot.
  bool warm_up(const std::vector<std::string>& flags = default_cuda_flags()) const;

  const CudaToolchain& toolchain() const { return toolchain_; }

 private:
  sandbox::ConfinedExit run(const BuildScratch& scratch, const std::vector<std::string>& flags,
                            const std::filesystem::path& trampoline, const Hash& key) const;
  /// Builds `text`, the candidate with its signature check, and keeps the library under `key`.
  BuildResult compile(const Task& task, const Candidate& candidate, const std::string& text,
                      const std::filesystem::path& trampoline, const std::vector<std::string>& flags,
                      const Hash& key) const;
  std::vector<std::string> words(const std::vector<std::string>& flags) const;
  /// Returns the result, as compiler_missing if it failed because the toolkit cannot link device code.
  BuildResult blamed(BuildResult result) const;

  CudaToolchain toolchain_;
  Workshop workshop_;
  std::unique_ptr<nvcc::Steps> steps_;
  std::unique_ptr<DeviceLink> device_link_;
};

}  // namespace ridgeline::languages
