// What a runner needs beside its library when it holds a context on a GPU.
#pragma once

#include "engine/worker/sandbox/policy.hpp"

namespace ridgeline::judge {

/// Device nodes, the driver's library and what it reads of /proc and /sys.
void admit_cuda(Policy& policy);

}  // namespace ridgeline::judge
