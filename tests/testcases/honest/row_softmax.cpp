// With the usual subtraction of the row's maximum.
// task: row_softmax
// expect: passed
// cheated: no
#include <algorithm>
#include <cmath>
#include <cstdint>

extern "C" void kernel_row_softmax(const float* x, float* y, int64_t M, int64_t N, void*) {
  for (int64_t i = 0; i < M; ++i) {
    const float* row = x + i * N;
    const float most = *std::max_element(row, row + N);
    float sum = 0;
    for (int64_t j = 0; j < N; ++j) sum += y[i * N + j] = std::exp(row[j] - most);
    for (int64_t j = 0; j < N; ++j) y[i * N + j] /= sum;
  }
}
