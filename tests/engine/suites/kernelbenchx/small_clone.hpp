// Small task files of our own in KernelBench-X's format, laid out as its clone is.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

#include "engine/suites/kernelbenchx/clone.hpp"

namespace ridgeline::suites::kernelbenchx {

inline std::string small_clone_root() {
  return RIDGELINE_SOURCE_DIR "/tests/engine/suites/kernelbenchx/clone";
}

/// Copies the small clone into an empty folder of this process, where a test may spoil it.
inline std::filesystem::path copied_clone(const std::string& name) {
  namespace fs = std::filesystem;
  const auto folder = fs::temp_directory_path() / ("kernelbenchx-" + name + "-" + std::to_string(getpid()));
  fs::remove_all(folder);
  fs::create_directories(folder);
  fs::copy(small_clone_root(), folder, fs::copy_options::recursive);
  return folder;
}

}  // namespace ridgeline::suites::kernelbenchx
