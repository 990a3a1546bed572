// Extends a sandbox policy by what a context on a GPU needs.
#pragma once

#include <filesystem>
#include <optional>

#include "engine/worker/sandbox/policy.hpp"

namespace ridgeline::sandbox {

/// Admits device nodes, the driver's library and what that reads of /proc and /sys. `cupti`: the library by
/// which calls are counted; its folder is admitted too.
void admit_gpu(Policy& policy, const std::optional<std::filesystem::path>& cupti);

}  // namespace ridgeline::sandbox
