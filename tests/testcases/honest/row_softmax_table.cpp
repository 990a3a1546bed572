// Builds a table at its first call and keeps it: state that does not depend on inputs is legitimate.
// task: row_softmax
// expect: passed
// cheated: no
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

extern "C" void kernel_row_softmax(const float* x, float* y, int64_t M, int64_t N, void*) {
  static const auto whole = [] {
    std::array<float, 256> table{};
    for (int i = 0; i < 256; ++i) table[i] = std::exp(-static_cast<float>(i));
    return table;
  }();
  for (int64_t i = 0; i < M; ++i) {
    const float* row = x + i * N;
    const float most = *std::max_element(row, row + N);
    float sum = 0;
    for (int64_t j = 0; j < N; ++j) {
      const float below = most - row[j];
      const int integer = below < 255 ? static_cast<int>(below) : 255;
      sum += y[i * N + j] = whole[integer] * std::exp(static_cast<float>(integer) - below);
    }
    for (int64_t j = 0; j < N; ++j) y[i * N + j] /= sum;
  }
}
