#include <cstdint>

extern "C" void kernel_matmul_fp16(const _Float16* a, const _Float16* b, _Float16* c, int64_t M, int64_t N,
                                   int64_t K, void*) {
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) {
      float sum = 0;
      for (int64_t k = 0; k < K; ++k)
        sum += static_cast<float>(a[i * K + k]) * static_cast<float>(b[k * N + j]);
      c[i * N + j] = static_cast<_Float16>(sum);
    }
}
