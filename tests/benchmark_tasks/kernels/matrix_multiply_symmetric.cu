#include <cstddef>
#include <cstdint>

namespace {

// A thread an element of alpha a b + beta c.
__global__ void multiply(const float* a, const float* b, const float* c, float* s, int64_t N, int64_t K,
                         float alpha, float beta) {
  const int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= N * N) return;
  float sum = 0;
  for (int64_t k = 0; k < K; ++k) sum += a[e / N * K + k] * b[k * N + e % N];
  s[e] = alpha * sum + beta * c[e];
}

__global__ void multiply_by_transpose(const float* s, float* y, int64_t N, float alpha, float beta) {
  const int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= N * N) return;
  float sum = 0;
  for (int64_t k = 0; k < N; ++k) sum += s[e / N * N + k] * s[e % N * N + k];
  y[e] = alpha * sum + beta * s[e];
}

}  // namespace

extern "C" size_t kernel_matrix_multiply_symmetric_workspace(int64_t N, int64_t) {
  return size_t(N * N) * sizeof(float);
}

extern "C" void kernel_matrix_multiply_symmetric(const float* a, const float* b, const float* c, float* y,
                                                 int64_t N, int64_t K, double alpha, double beta,
                                                 void* workspace, void* stream) {
  if (N < 1) return;
  auto* s = static_cast<float*>(workspace);
  const int64_t blocks = (N * N + 255) / 256;
  multiply<<<blocks, 256, 0, (cudaStream_t)stream>>>(a, b, c, s, N, K, float(alpha), float(beta));
  multiply_by_transpose<<<blocks, 256, 0, (cudaStream_t)stream>>>(s, y, N, float(alpha), float(beta));
}
