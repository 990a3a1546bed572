#include <cstdint>

extern "C" void kernel_fused_hstack_div(const float* a, const float* b, const float* c, const float* divisor,
                                        float* y, int64_t M, int64_t A, int64_t B, int64_t C, void*) {
  for (int64_t i = 0; i < M; ++i) {
    float* row = y + i * (A + B + C);
    for (int64_t j = 0; j < A; ++j) row[j] = a[i * A + j] / divisor[j];
    for (int64_t j = 0; j < B; ++j) row[A + j] = b[i * B + j] / divisor[A + j];
    for (int64_t j = 0; j < C; ++j) row[A + B + j] = c[i * C + j] / divisor[A + B + j];
  }
}
