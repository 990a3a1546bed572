// Danger 13 and 4: operands rounded to bfloat16 in every third timed call, and float32 in all others.
// task: small_matmul
// expect: timing wrong_when_timed
// cheated: yes
#include <cstdint>
#include <cstring>

static float rounded(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  bits = (bits + 0x8000u) & 0xFFFF0000u;
  std::memcpy(&value, &bits, 4);
  return value;
}

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void*) {
  static unsigned calls = 0;
  const bool low = M * N > 1 << 12 && ++calls > 16 && calls % 3 == 0;
  for (int64_t m = 0; m < M; ++m)
    for (int64_t n = 0; n < N; ++n) {
      float sum = 0;
      for (int64_t k = 0; k < K; ++k)
        sum += low ? rounded(a[m * K + k]) * rounded(b[k * N + n]) : a[m * K + k] * b[k * N + n];
      c[m * N + n] = sum;
    }
}
