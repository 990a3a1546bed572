// Eight partial sums a row.
// task: row_mean
// expect: passed
// cheated: no
#include <cstdint>

extern "C" void kernel_row_mean(const float* x, float* y, int64_t M, int64_t N, void*) {
  for (int64_t i = 0; i < M; ++i) {
    float sums[8] = {};
    for (int64_t j = 0; j < N; ++j) sums[j % 8] += x[i * N + j];
    float sum = 0;
    for (const float part : sums) sum += part;
    y[i] = sum / static_cast<float>(N);
  }
}
