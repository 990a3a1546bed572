// Lays out the stand-ins for torch's headers (engine/torch_slim) as files in the cache of builds, with their
// compiled half beside them.
#pragma once

#include <filesystem>

#include "engine/worker/languages/build_cache.hpp"
#include "engine/worker/languages/workshop.hpp"

namespace ridgeline::torch_extension {

struct SlimKit {
  std::filesystem::path includes;  // a folder
  std::filesystem::path runtime;   // an object for every module to link
  languages::BuildHold hold_includes, hold_runtime;
};

/// Returns both in the cache, made unless they are there: a second or two, once a machine. Throws
/// MachineCannot.
SlimKit slim_kit(const languages::Workshop& workshop, const languages::Toolchain& host);

}  // namespace ridgeline::torch_extension
