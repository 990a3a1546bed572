// The same, later.
// task: vector_add
// expect: timing exited
#include <cstdint>
#include <cstdlib>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  static int calls = 0;
  if (++calls > 30) std::exit(0);
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
