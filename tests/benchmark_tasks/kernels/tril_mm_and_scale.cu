#include <cstdint>

namespace {

// A thread an element.
__global__ void multiply(const float* a, const float* b, float* y, int64_t N, int64_t P, float scale) {
  const int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= N * P) return;
  const int64_t i = e / P;
  float sum = 0;
  for (int64_t k = 0; k <= i; ++k) sum += a[i * N + k] * b[k * P + e % P];
  y[e] = scale * sum;
}

}  // namespace

extern "C" void kernel_tril_mm_and_scale(const float* a, const float* b, float* y, int64_t N, int64_t P,
                                         double alpha, double beta, void* stream) {
  if (N * P < 1) return;
  multiply<<<(N * P + 255) / 256, 256, 0, (cudaStream_t)stream>>>(a, b, y, N, P, float(alpha * beta));
}
