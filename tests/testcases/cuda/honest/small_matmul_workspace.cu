// Transposes one operand into the workspace that it asked for.
// task: small_matmul
// expect: passed
// cheated: no
#include <cstddef>
#include <cstdint>

static __global__ void transpose(const float* a, float* transposed, int64_t M, int64_t K) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < M * K) transposed[i % K * M + i / K] = a[i];
}

static __global__ void multiply(const float* transposed, const float* b, float* c, int64_t M, int64_t N, int64_t K) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x, m = i / N, n = i % N;
  if (i >= M * N) return;
  float sum = 0;
  for (int64_t k = 0; k < K; ++k) sum += transposed[k * M + m] * b[k * N + n];
  c[i] = sum;
}

extern "C" size_t kernel_small_matmul_workspace(int64_t M, int64_t, int64_t K) { return sizeof(float) * M * K; }

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void* workspace, void* stream) {
  auto* transposed = static_cast<float*>(workspace);
  transpose<<<(M * K + 255) / 256, 256, 0, (cudaStream_t)stream>>>(a, transposed, M, K);
  multiply<<<(M * N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(transposed, b, c, M, N, K);
}
