// Measures a GPU's ceilings: bandwidths by the judge's own kernels, arithmetic by LibTorch's matrix products
// on random data, whose rate a hand-written kernel seldom exceeds.
#pragma once

#include "engine/core/roofline.hpp"
#include "engine/cuda/device.hpp"
#include "engine/worker/judge/arenas/device_arena.hpp"

namespace ridgeline::judge {

/// Measures bandwidth of memory and of the L2 (bytes a second), and operations a second by precision. Takes
/// about half a second and 2 GiB of the device; nothing else should use it meanwhile. Throws MachineCannot if
/// the driver fails.
Ceilings measure_device_ceilings(const cuda::DeviceFacts& facts, DeviceTools& tools);

}  // namespace ridgeline::judge
