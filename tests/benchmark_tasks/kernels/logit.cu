#include <cstdint>

namespace {

__global__ void log_odds(const float* x, float* y, int64_t count, double eps) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    const float z = fminf(fmaxf(x[i], float(eps)), float(1 - eps));
    y[i] = logf(z / (1 - z));
  }
}

}  // namespace

extern "C" void kernel_logit(const float* x, float* y, int64_t M, int64_t N, double eps, void* stream) {
  if (M * N < 1) return;
  const int64_t blocks = min((M * N + 255) / 256, int64_t{65536});
  log_odds<<<blocks, 256, 0, (cudaStream_t)stream>>>(x, y, M * N, eps);
}
