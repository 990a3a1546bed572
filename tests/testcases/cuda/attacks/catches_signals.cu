// Danger 33: handlers for every signal that ends a process, and an endless loop behind them.
// task: vector_add
// expect: call timed_out | call sandbox_violation
#include <signal.h>

#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  for (int number = 1; number < 32; ++number) signal(number, SIG_IGN);
  for (volatile bool forever = true; forever;) {
  }
}
