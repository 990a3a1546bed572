// One number as its output. Eight partial sums.
// task: mean
// expect: passed
// cheated: no
#include <cstdint>

extern "C" void kernel_mean(const float* x, float* y, int64_t N, void*) {
  float sums[8] = {};
  for (int64_t i = 0; i < N; ++i) sums[i % 8] += x[i];
  float sum = 0;
  for (const float part : sums) sum += part;
  y[0] = sum / static_cast<float>(N);
}
