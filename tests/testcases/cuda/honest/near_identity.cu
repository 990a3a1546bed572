// The small part counts.
// task: near_identity
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void cubic(const float* x, float* y, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) y[i] = x[i] + 0.0005f * x[i] * x[i] * x[i];
}

extern "C" void kernel_near_identity(const float* x, float* y, int64_t N, void* stream) {
  cubic<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, N);
}
