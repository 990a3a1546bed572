// Debug output is no crime.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>
#include <cstdio>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  static bool told = false;
  if (!told) std::printf("N = %ld\n", static_cast<long>(N));
  told = true;
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
