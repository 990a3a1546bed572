// Transposes one operand into the workspace that it asked for.
// task: small_matmul
// expect: passed
// cheated: no
#include <cstddef>
#include <cstdint>

extern "C" size_t kernel_small_matmul_workspace(int64_t, int64_t N, int64_t K) { return sizeof(float) * N * K; }

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void* workspace, void*) {
  auto* transposed = static_cast<float*>(workspace);
  for (int64_t k = 0; k < K; ++k)
    for (int64_t n = 0; n < N; ++n) transposed[n * K + k] = b[k * N + n];
  for (int64_t m = 0; m < M; ++m)
    for (int64_t n = 0; n < N; ++n) {
      float sum = 0;
      for (int64_t k = 0; k < K; ++k) sum += a[m * K + k] * transposed[n * K + k];
      c[m * N + n] = sum;
    }
}
