// Danger 33: output without end.
// task: vector_add
// expect: call sandbox_violation
#include <cstdint>
#include <cstdio>

extern "C" void kernel_vector_add(const float*, const float*, float*, int64_t, void*) {
  for (;;) std::puts("more and more and more and more and more and more and more and more and more");
}
