// Where tests find sources and programs: where they were built, unless the environment says that they were
// carried elsewhere (cmake/bundle.sh, run-gpu-tests).
#pragma once

#include <cstdlib>
#include <filesystem>

namespace ridgeline::places {

inline std::filesystem::path of(const char* variable, const char* built) {
  const char* const carried = std::getenv(variable);
  return carried != nullptr && *carried != '\0' ? carried : built;
}

/// Holds benchmark_tasks/, prompts/ and tests/.
inline std::filesystem::path sources() {
  return of("RIDGELINE_SOURCE_DIR", RIDGELINE_SOURCE_DIR);
}

/// Holds ridgeline and the programs that it starts.
inline std::filesystem::path programs() {
  return of("RIDGELINE_BIN_DIR", RIDGELINE_BIN_DIR);
}

}  // namespace ridgeline::places
