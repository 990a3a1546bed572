// Partly wrong in one of sixteen calls, whether they are timed or not, as a kernel with a race is.
// task: row_softmax
// expect: timing wrong_values
// cheated: no
#include <cmath>
#include <cstdint>

extern "C" void kernel_row_softmax(const float* x, float* y, int64_t M, int64_t N, void*) {
  static uint32_t calls = 0;
  // At irregular places, and not in the first calls: the correctness stage would find those out.
  const bool late = ++calls > 24 && (calls * 2654435761u >> 16) % 16 == 0;
  for (int64_t r = 0; r < M; ++r, x += N, y += N) {
    float most = x[0], sum = 0;
    for (int64_t i = 1; i < N; ++i) most = std::fmax(most, x[i]);
    for (int64_t i = 0; i < N; ++i) sum += y[i] = std::exp(x[i] - most);
    for (int64_t i = 0; i < N; ++i) y[i] /= late && r < M / 4 ? 2 * sum : sum;
  }
}
