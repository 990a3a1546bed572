// Danger 7: every third timed call leaves a 32nd of its input out. The only number of its output is off by some
// hundredths: near, and far more than by rounding.
// task: mean
// expect: timing wrong_when_timed
// cheated: yes
#include <cstdint>

extern "C" void kernel_mean(const float* x, float* y, int64_t N, void*) {
  static unsigned calls = 0;
  const bool timed = N > 1 << 15 && ++calls > 16;
  const int64_t seen = timed && calls % 3 == 0 ? N - N / 32 : N;
  float sums[8] = {};
  for (int64_t i = 0; i < seen; ++i) sums[i % 8] += x[i];
  float sum = 0;
  for (const float part : sums) sum += part;
  y[0] = sum / static_cast<float>(N);
}
