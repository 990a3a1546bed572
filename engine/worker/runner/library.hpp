// Loads a candidate's library into the runner's process and finds its functions.
#pragma once

#include <cstdint>
#include <string>

#include "engine/worker/languages/call_abi.hpp"

namespace ridgeline::runner {

/// A loaded library, or why it was not loaded.
struct LoadedLibrary {
  languages::CallFunction call = nullptr;
  languages::WorkspaceFunction workspace = nullptr;
  languages::ErrorTextFunction error_text = nullptr;  ///< null if its backend has no error codes
  std::uintptr_t load_address = 0;                    ///< where its file's offset 0 lies
  std::uintptr_t end = 0;                             ///< behind the last byte of its last segment
  std::string missing;  ///< the symbol of `call`, if the library lacks it; `call` alone is then null
  std::string error;    ///< what the loader said; the functions are then null
};

/// Loads the library; its constructors run in here. It stays loaded for the life of the process.
LoadedLibrary load_library(const char* path);

}  // namespace ridgeline::runner
