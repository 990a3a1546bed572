// What a runner needs beside its library when it holds a context on a GPU.
#pragma once

#include <filesystem>
#include <optional>

#include "engine/worker/sandbox/policy.hpp"

namespace ridgeline::judge {

/// Device nodes, the driver's library and what it reads of /proc and /sys; and, where its calls are counted
/// by the library `cupti`, the folder of that.
void admit_cuda(sandbox::Policy& policy, const std::optional<std::filesystem::path>& cupti);

}  // namespace ridgeline::judge
