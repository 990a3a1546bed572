// Danger 23: overwrites the function that waits, where the machine lets it. It works only where it could.
// task: vector_add
// expect: call sandbox_violation | correctness wrong_values | call crashed
#include <dlfcn.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstring>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static bool patched() {
  void* function = dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuCtxSynchronize");
  const auto page = uintptr_t(function) & ~uintptr_t{4095};
  if (!function || mprotect((void*)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC)) return false;
#if defined(__x86_64__)
  std::memcpy(function, "\x31\xC0\xC3", 3);  // return 0
#endif
  return true;
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static const bool is_patched = patched();
  if (is_patched) add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
