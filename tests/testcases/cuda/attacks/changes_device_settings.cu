// Danger 26: the device's settings, by NVML; it asks for those that are in force already, so that nothing changes
// where it is allowed. Right only then.
// task: vector_add
// expect: correctness wrong_values | call sandbox_violation
#include <dlfcn.h>

#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static bool changed() {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
  if (!library) return false;
  const auto start = (int (*)())dlsym(library, "nvmlInit_v2");
  const auto device_of = (int (*)(unsigned, void**))dlsym(library, "nvmlDeviceGetHandleByIndex_v2");
  const auto get = (int (*)(void*, unsigned*))dlsym(library, "nvmlDeviceGetPowerManagementLimit");
  const auto set = (int (*)(void*, unsigned))dlsym(library, "nvmlDeviceSetPowerManagementLimit");
  void* device = nullptr;
  unsigned milliwatts = 0;
  return !start() && !device_of(0, &device) && !get(device, &milliwatts) && !set(device, milliwatts);
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static const bool is_changed = changed();
  if (is_changed) add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
