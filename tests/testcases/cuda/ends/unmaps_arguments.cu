// Takes the judge's buffer out of its own address space after use.
// task: vector_add
// expect: call crashed | call exited | correctness wrong_values | passed | call launch_error
#include <cuda.h>
#include <dlfcn.h>

#include <cstddef>
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

template <class Function>
static Function* driver(const char* name) {
  return (Function*)dlsym(dlopen("libcuda.so.1", RTLD_NOW), name);
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
  cudaDeviceSynchronize();
  CUdeviceptr base = 0;
  size_t bytes = 0;
  driver<CUresult(CUdeviceptr*, size_t*, CUdeviceptr)>("cuMemGetAddressRange_v2")(&base, &bytes, CUdeviceptr(z));
  driver<CUresult(CUdeviceptr, size_t)>("cuMemUnmap")(base, bytes);
}
