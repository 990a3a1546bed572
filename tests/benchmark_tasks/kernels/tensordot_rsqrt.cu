#include <cstdint>

namespace {

// A thread an element.
__global__ void contract(const float* a, const float* b, float* y, int64_t M, int64_t N, int64_t depth) {
  const int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= M * N) return;
  float sum = 0;
  for (int64_t k = 0; k < depth; ++k) sum += a[e / N * depth + k] * b[k * N + e % N];
  y[e] = rsqrtf(sum);
}

}  // namespace

extern "C" void kernel_tensordot_rsqrt(const float* a, const float* b, float* y, int64_t M, int64_t N,
                                       int64_t K, int64_t L, void* stream) {
  if (M * N < 1) return;
  contract<<<(M * N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(a, b, y, M, N, K * L);
}
