// Which device is current, asked of a CUDA runtime that has none. Torch asks before it looks whether a tensor
// has any values, so where kernels are compiled ahead (ridgeline_runner/ahead.py) these stand before the
// runtime's own: that process alone puts this library into the loader's global scope, and does so before it
// imports torch.

#define RIDGELINE_PRETENDED extern "C" __attribute__((visibility("default")))

namespace {
constexpr int kSuccess = 0, kNoSuchDevice = 101;
}

RIDGELINE_PRETENDED int cudaGetDeviceCount(int* count) {
  *count = 1;
  return kSuccess;
}

RIDGELINE_PRETENDED int cudaGetDevice(int* device) {
  *device = 0;
  return kSuccess;
}

RIDGELINE_PRETENDED int cudaSetDevice(int device) {
  return device == 0 ? kSuccess : kNoSuchDevice;
}

/// Torch's own, c10::cuda::MaybeSetDevice, by which a guard goes back: it asks the driver's library, which is
/// not here.
RIDGELINE_PRETENDED int pretended_maybe_set_device(signed char device) asm("_ZN3c104cuda14MaybeSetDeviceEa");
int pretended_maybe_set_device(signed char device) {
  return cudaSetDevice(device);
}
