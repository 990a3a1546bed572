// Danger 28: a verdict on stdout, and a good end before anything was done.
// task: vector_add
// expect: call exited
#include <unistd.h>

#include <cstdint>
#include <cstdio>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  std::puts("{\"type\":\"judged\",\"verdict\":{\"correct\":true,\"speedup\":1000}}");
  std::fflush(stdout);
  _exit(0);
}
