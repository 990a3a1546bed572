// A candidate as a library in the runner's process, and what is needed to call it.
#pragma once

#include <cstdint>
#include <string>

#include "engine/worker/languages/call_abi.hpp"

namespace ridgeline::runner {

struct LoadedLibrary {
  languages::CallFunction call = nullptr;
  languages::WorkspaceFunction workspace = nullptr;
  languages::ErrorTextFunction error_text = nullptr;  ///< of a backend that has error codes
  std::uintptr_t load_address = 0;                    ///< what offsets into the file count from
  std::uintptr_t end = 0;
  std::string missing;  ///< a symbol that is not there; then the rest is null
  std::string error;    ///< what the loader said; then the rest is null
};

/// Its constructors run in here. The library stays loaded for the life of the process.
LoadedLibrary load_library(const char* path);

}  // namespace ridgeline::runner
