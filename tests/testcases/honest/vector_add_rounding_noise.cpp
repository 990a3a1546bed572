// Not the same bits twice, always within the tolerance: a recorded fact, no failure.
// task: vector_add
// expect: passed
// cheated: no
#include <cmath>
#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  static unsigned calls = 0;
  const bool up = ++calls % 2;
  for (int64_t i = 0; i < N; ++i) {
    const float sum = x[i] + y[i];
    z[i] = up ? std::nextafter(sum, 1e30f) : sum;
  }
}
