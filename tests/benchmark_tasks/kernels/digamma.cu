#include <cstdint>

namespace {

// The recurrence up to 8, then the asymptotic series.
__device__ float digamma(double x) {
  double sum = 0;
  for (; x < 8; x += 1) sum -= 1 / x;
  const double r = 1 / (x * x);
  return float(sum + log(x) - 0.5 / x - r * (1.0 / 12 - r * (1.0 / 120 - r * (1.0 / 252 - r / 240))));
}

__global__ void derivatives(const float* x, float* y, int64_t count) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) y[i] = digamma(x[i]);
}

}  // namespace

extern "C" void kernel_digamma(const float* x, float* y, int64_t N, void* stream) {
  if (N < 1) return;
  const int64_t blocks = min((N + 255) / 256, int64_t{65536});
  derivatives<<<blocks, 256, 0, (cudaStream_t)stream>>>(x, y, N);
}
