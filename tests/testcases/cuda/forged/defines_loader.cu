// Danger 23: dlsym itself, so that whoever looks up a function of the driver's after this library is loaded finds
// another one.
// task: vector_add
// expect: passed | call load_error
// at most: 1.2 honest/vector_add.cu
#include <dlfcn.h>

#include <cstdint>
#include <cstring>

static int nothing() { return 0; }

extern "C" void* dlsym(void* library, const char* name) noexcept {
  if (std::strstr(name, "Synchronize") || std::strstr(name, "Elapsed")) return (void*)nothing;
  static void* (*real)(void*, const char*) = nullptr;
  for (const char* version : {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"})
    if (!real) real = (decltype(real))dlvsym(RTLD_NEXT, "dlsym", version);
  return real(library, name);
}

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
