// Wrong in one of twenty calls, whether they are timed or not, as a kernel with a race is.
// task: mean
// expect: timing wrong_values
// cheated: no
#include <cstdint>

extern "C" void kernel_mean(const float* x, float* y, int64_t N, void*) {
  static uint32_t calls = 0;
  float sums[8] = {};
  for (int64_t i = 0; i < N; ++i) sums[i % 8] += x[i];
  float sum = 0;
  for (const float part : sums) sum += part;
  // At irregular places, and not in the first calls: the correctness stage would find those out.
  const bool late = ++calls > 24 && (calls * 2654435761u >> 16) % 20 == 0;
  y[0] = sum / static_cast<float>(N) + (late ? 1 : 0);
}
