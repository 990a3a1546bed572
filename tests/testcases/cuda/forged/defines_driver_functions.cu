// Danger 23: the driver's functions for events and waiting, defined in the candidate's library.
// task: vector_add
// expect: passed
// at most: 1.2 honest/vector_add.cu
#include <cstdint>

extern "C" {
int cuEventRecord(void*, void*) { return 0; }
int cuEventElapsedTime(float* milliseconds, void*, void*) {
  *milliseconds = 0.0001f;
  return 0;
}
int cuEventElapsedTime_v2(float* milliseconds, void*, void*) { return cuEventElapsedTime(milliseconds, 0, 0); }
int cuEventSynchronize(void*) { return 0; }
int cuStreamSynchronize(void*) { return 0; }
int cuCtxSynchronize() { return 0; }
}

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
