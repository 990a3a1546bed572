// What a GPU can do at most, measured on it: bandwidths by the judge's own kernels, arithmetic by LibTorch's
// matrix products on random data, whose rate a kernel written by hand seldom passes.
#pragma once

#include "engine/core/roofline.hpp"
#include "engine/cuda/device.hpp"
#include "engine/worker/judge/arenas/device_arena.hpp"

namespace ridgeline::judge {

/// Takes about half a second and 2 GiB of the device.
Ceilings measure_device_ceilings(const cuda::DeviceFacts& facts, DeviceTools& tools);

}  // namespace ridgeline::judge
