// A device's address read by the host, as the absent-minded do.
// task: vector_add
// expect: call crashed
// cheated: no
#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
