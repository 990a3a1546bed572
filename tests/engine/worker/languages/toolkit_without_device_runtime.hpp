// Makes a toolkit that compiles device code and cannot link it, as where one wheel of it is missing.
#pragma once

#include <filesystem>
#include <fstream>

#include "engine/worker/languages/cuda_toolchain.hpp"

namespace ridgeline::languages {

/// Writes a program to `folder` that is `whole`'s nvcc without the device's half of the runtime. A broken
/// nvlink beside a copy of nvcc would not do: nvcc's shell goes on to the next nvlink of the PATH where it
/// cannot run the first.
inline CudaToolchain without_device_runtime(const CudaToolchain& whole, const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  fs::create_directories(folder);
  auto lacking = whole;
  lacking.program = (folder / "nvcc").string();
  std::ofstream(lacking.program) << "#!/bin/sh\nexec '" << whole.program << "' \"$@\" -cudadevrt none\n";
  fs::permissions(lacking.program, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                                       fs::perms::others_read | fs::perms::others_exec);
  lacking.roots.push_back(folder.string());
  lacking.fingerprint = sha256_of({whole.fingerprint, "without the device's runtime"});
  return lacking;
}

}  // namespace ridgeline::languages
