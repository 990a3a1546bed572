// Without the subtraction of the maximum: right on ordinary values, infinite on outliers.
// task: row_softmax
// expect: correctness wrong_values
// cheated: no
#include <cmath>
#include <cstdint>

extern "C" void kernel_row_softmax(const float* x, float* y, int64_t M, int64_t N, void*) {
  for (int64_t i = 0; i < M; ++i) {
    float sum = 0;
    for (int64_t j = 0; j < N; ++j) sum += y[i * N + j] = std::exp(x[i * N + j]);
    for (int64_t j = 0; j < N; ++j) y[i * N + j] /= sum;
  }
}
