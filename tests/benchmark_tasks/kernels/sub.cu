#include <cstdint>

namespace {

__global__ void subtract(const float* a, const float* b, float* y, int64_t M, int64_t N, float factor) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < M * N; i += step)
    y[i] = a[i] - factor * b[i % N];
}

}  // namespace

extern "C" void kernel_sub(const float* a, const float* b, float* y, int64_t M, int64_t N, double alpha,
                           void* stream) {
  if (M * N < 1) return;
  const int64_t blocks = min((M * N + 255) / 256, int64_t{65536});
  subtract<<<blocks, 256, 0, (cudaStream_t)stream>>>(a, b, y, M, N, float(alpha));
}
