// Another program in its place, with a library of its own put before all others.
// task: vector_add
// expect: call sandbox_violation | correctness wrong_values | call exited
#include <stdlib.h>
#include <unistd.h>

#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  setenv("LD_PRELOAD", "/tmp/own.so", 1);
  execl("/proc/self/exe", "runner", nullptr);
  execl("/bin/sh", "sh", "-c", "exit 0", nullptr);
}
