// Danger 33: output without end.
// task: vector_add
// expect: call sandbox_violation
#include <cstdint>
#include <cstdio>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  for (;;) std::puts("more and more and more and more and more and more and more and more and more");
}
