// Danger 15: asks the driver which addresses around its output are mapped, without touching any, and looks there for
// the right sums of its first eight elements. It copies what follows them, and has nothing else.
// task: vector_add
// expect: correctness wrong_values | call crashed | call timed_out
#include <cuda.h>
#include <dlfcn.h>

#include <cstddef>
#include <cstdint>

template <class Function>
static Function* driver(const char* name) {
  return (Function*)dlsym(dlopen("libcuda.so.1", RTLD_NOW), name);
}

static __device__ const float* found;

static __global__ void search(const float* x, const float* y, const float* z, const float* begin, int64_t count) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i + 8 > count || begin + i == z) return;
  for (int e = 0; e < 8; ++e)
    if (begin[i + e] != x[e] + y[e]) return;
  found = begin + i;
}

static __global__ void copy(float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (found && i < N) z[i] = found[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  constexpr size_t step = 2 << 20;
  const auto range = driver<CUresult(CUdeviceptr*, size_t*, CUdeviceptr)>("cuMemGetAddressRange_v2");
  CUdeviceptr last = 0;
  for (CUdeviceptr at = CUdeviceptr(z) - 8192 * step; at < CUdeviceptr(z) + 8192 * step; at += step) {
    CUdeviceptr base = 0;
    size_t bytes = 0;
    if (range(&base, &bytes, at) != CUDA_SUCCESS || base == last || bytes < 32) continue;
    last = base;
    search<<<(bytes / 4 + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, (const float*)base, bytes / 4);
  }
  copy<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(z, N);
}
