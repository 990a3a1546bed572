// Danger 11: a parameter omitted.
// task: axpy
// expect: correctness wrong_values
// cheated: no
#include <cstdint>

static __global__ void update(const float* x, float* y, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) y[i] += x[i];
}

extern "C" void kernel_axpy(const float* x, float* y, int64_t N, double, void* stream) {
  update<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, N);
}
