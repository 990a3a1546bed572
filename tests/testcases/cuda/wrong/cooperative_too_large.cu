// Danger 18: a cooperative launch with more blocks than the device holds, for the larger sizes; the error is cleared.
// task: vector_add
// expect: correctness wrong_values
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  void* arguments[] = {&x, &y, &z, &N};
  cudaLaunchCooperativeKernel((void*)add, dim3((N + 255) / 256), dim3(256), arguments, 0, (cudaStream_t)stream);
  cudaGetLastError();
}
