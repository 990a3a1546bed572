// Makes a toolkit that compiles device code and cannot link it, as where one wheel of it is missing.
#pragma once

#include <filesystem>
#include <fstream>

#include "engine/worker/languages/cuda_toolchain.hpp"

namespace ridgeline::languages {

/// Fills `folder` with links to all of `whole`'s toolkit but nvlink, and a copy of nvcc, which looks for its
/// parts beside itself. Its nvlink says that there is none, since a system may have another on the PATH.
inline CudaToolchain without_device_linker(const CudaToolchain& whole, const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  const auto programs = fs::path(whole.program).parent_path();
  fs::create_directories(folder / "bin");
  for (const auto& entry : fs::directory_iterator(programs.parent_path()))
    if (entry.path().filename() != "bin") fs::create_symlink(entry.path(), folder / entry.path().filename());
  for (const auto& entry : fs::directory_iterator(programs))
    if (const auto name = entry.path().filename(); name != "nvlink" && name != "nvcc")
      fs::create_symlink(entry.path(), folder / "bin" / name);
  fs::copy_file(whole.program, folder / "bin/nvcc");
  std::ofstream(folder / "bin/nvlink") << "#!/bin/sh\necho 'sh: 1: nvlink: not found' >&2\nexit 127\n";
  fs::permissions(folder / "bin/nvlink", fs::perms::owner_all);
  auto lacking = whole;
  lacking.program = (folder / "bin/nvcc").string();
  lacking.roots.push_back(folder.string());
  lacking.fingerprint = sha256_of({whole.fingerprint, "without the device's linker"});
  return lacking;
}

}  // namespace ridgeline::languages
