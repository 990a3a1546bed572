// Allocates scratch of its own on every call.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>
#include <vector>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  std::vector<float> sum(N);
  for (int64_t i = 0; i < N; ++i) sum[i] = x[i] + y[i];
  for (int64_t i = 0; i < N; ++i) z[i] = sum[i];
}
