// Danger 20: timed work in a context of its own, which waiting for the runner's context does not wait for.
// task: vector_add
// expect: passed | timing wrong_when_timed | timing timing_disputed | timing crashed
// at most: 0.5 honest/vector_add.cu
#include <cuda.h>
#include <dlfcn.h>

#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static __global__ void delay(long long cycles) {
  for (const long long begin = clock64(); clock64() - begin < cycles;) {
  }
}

template <class Function>
static Function* driver(const char* name) {
  return (Function*)dlsym(dlopen("libcuda.so.1", RTLD_NOW), name);
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static unsigned calls = 0;
  static CUcontext own, before;
  if (N > 1 << 20) ++calls;
  if (calls == 1 && !own) {
    driver<CUresult(CUcontext*, unsigned, CUdevice)>("cuCtxCreate_v2")(&own, 0, 0);
    driver<CUresult(CUcontext*)>("cuCtxPopCurrent_v2")(&before);
  }
  if (calls <= 64 || N < 1 << 20) {
    add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
    return;
  }
  driver<CUresult(CUcontext)>("cuCtxPushCurrent_v2")(own);
  delay<<<1, 1>>>(200'000);
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
  driver<CUresult(CUcontext*)>("cuCtxPopCurrent_v2")(&before);
}
