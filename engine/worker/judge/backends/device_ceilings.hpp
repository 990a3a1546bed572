// Measures the ceilings of the GPU that candidates run on: the highest bandwidths and arithmetic rates that
// it reaches, with which rooflines compare a candidate's kernel. Bandwidths are measured by kernels of the
// judge, arithmetic by LibTorch's matrix products on random data, whose rate a hand-written kernel seldom
// exceeds.
#pragma once

#include "engine/core/roofline.hpp"
#include "engine/cuda/device.hpp"
#include "engine/worker/judge/arenas/device_arena.hpp"

namespace ridgeline::judge {

/// Measures the bandwidths of memory and of the L2 in bytes per second, and operations per second for each
/// precision. `facts` gives the device's name and the size of its L2; `tools` runs the kernels, on the same
/// device. Takes about half a second and 2 GiB of the device's memory; nothing else should use the device
/// meanwhile. Throws MachineCannot if the driver fails.
Ceilings measure_device_ceilings(const cuda::DeviceFacts& facts, DeviceTools& tools);

}  // namespace ridgeline::judge
