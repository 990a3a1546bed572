// Danger 3: later calls give what an earlier one computed, a copy being cheaper than the work.
// task: small_matmul
// expect: timing wrong_when_timed
// cheated: yes
#include <cstdint>
#include <cstring>
#include <vector>

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void*) {
  static unsigned calls = 0;
  static std::vector<float> last;
  if (++calls > 30 && last.size() == static_cast<size_t>(M * N) && calls % 8 != 0) {
    std::memcpy(c, last.data(), last.size() * sizeof(float));
    return;
  }
  for (int64_t m = 0; m < M; ++m)
    for (int64_t n = 0; n < N; ++n) {
      float sum = 0;
      for (int64_t k = 0; k < K; ++k) sum += a[m * K + k] * b[k * N + n];
      c[m * N + n] = sum;
    }
  last.assign(c, c + M * N);
}
