// Leaves a context of its own behind as the current one. Who says which context he means is not disturbed.
// task: vector_add
// expect: passed | call crashed | correctness wrong_values | timing wrong_when_timed | timing timing_disputed
// at most: 1.2 honest/vector_add.cu
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
  static CUcontext judges, own;
  if (!own) {
    driver<CUresult(CUcontext*)>("cuCtxGetCurrent")(&judges);
    driver<CUresult(CUcontext*, unsigned, CUdevice)>("cuCtxCreate_v2")(&own, 0, 0);
  }
  driver<CUresult(CUcontext)>("cuCtxSetCurrent")(judges);
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
  driver<CUresult(CUcontext)>("cuCtxSetCurrent")(own);
}
