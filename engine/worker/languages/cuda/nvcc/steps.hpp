// Runs the steps of nvcc in its place, side by side, if they are the known ones.
//
// Threads: any number at once.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/hash.hpp"
#include "engine/worker/languages/cuda/nvcc/headers.hpp"
#include "engine/worker/languages/cuda/nvcc/plan.hpp"
#include "engine/worker/languages/cuda_toolchain.hpp"
#include "engine/worker/languages/workshop.hpp"

namespace ridgeline::nvcc {

/// Knows the steps of one nvcc. Plans are kept by flags alone, so an object may be called with one workshop
/// and one toolchain only. Each member throws MachineCannot if a folder, a file or the sandbox cannot be
/// made.
class Steps {
 public:
  /// Lists what nvcc is called with, between its name and its sources.
  using Flags = std::vector<std::string>;

  /// Builds kernel.cu of the scratch folder and the trampoline to kernel.so, within the settings' limits as a
  /// whole. `id`: the hash of the source and all that goes into the build. Empty if the steps are not the
  /// known ones: nvcc has to run. The first call with new flags asks nvcc for its steps (--dryrun). The
  /// second build with the same flags reads the headers ahead (4 to 5 s), if nobody did before.
  std::optional<sandbox::ConfinedExit> build(const languages::Workshop& workshop,
                                             const languages::CudaToolchain& toolchain, const Flags& flags,
                                             const languages::BuildScratch& scratch,
                                             const std::filesystem::path& trampoline, const Hash& id);

  /// Reads the headers ahead, before the first build. Returns false if the steps are not the known ones or
  /// the headers cannot be read ahead.
  bool read_ahead(const languages::Workshop& workshop, const languages::CudaToolchain& toolchain,
                  const Flags& flags);

 private:
  struct Known {
    std::shared_ptr<const Plan> plan;  // null: not the known steps
    int builds = 0;
  };
  Known count(const languages::Workshop& workshop, const languages::CudaToolchain& toolchain,
              const Flags& flags, int builds);

  std::mutex mutex_;
  std::map<Flags, Known> known_;
};

}  // namespace ridgeline::nvcc
