// The same by the driver: the runner's context, whoever made it.
// task: vector_add
// expect: call crashed | call exited | correctness wrong_values | call launch_error
#include <cuda.h>
#include <dlfcn.h>

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
  CUcontext current = nullptr;
  driver<CUresult(CUcontext*)>("cuCtxGetCurrent")(&current);
  driver<CUresult(CUcontext)>("cuCtxDestroy_v2")(current);
  driver<CUresult(CUdevice)>("cuDevicePrimaryCtxReset_v2")(0);
}
