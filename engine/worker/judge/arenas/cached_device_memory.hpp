// Returns device memory that LibTorch caches, when other processes may need it.
//
// Allocating anew costs milliseconds, as long as a whole comparison of a small kernel. So memory is returned
// only if others might run short of it.
#pragma once

#include <cstddef>

namespace ridgeline::judge {

/// Returns all memory that LibTorch caches to the device at once. Waits until the device is idle.
void return_cached_memory();

/// Returns the bytes that torch holds of the device, cached ones included.
std::size_t torch_bytes(int device);
/// Returns it if LibTorch caches much of the device, or if less than a quarter of the device would be left
/// after somebody takes `bytes` there.
void ensure_device_memory(int device, std::size_t bytes);

}  // namespace ridgeline::judge
