// In place.
// task: axpy
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void update(const float* x, float* y, int64_t N, float alpha) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) y[i] += alpha * x[i];
}

extern "C" void kernel_axpy(const float* x, float* y, int64_t N, double alpha, void* stream) {
  update<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, N, float(alpha));
}
