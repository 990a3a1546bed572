// A recursion without end.
// task: vector_add
// expect: call crashed
// cheated: no
#include <cstdint>

static int deeper(volatile char* above, int depth) {
  volatile char here[4096];
  here[0] = above[0];
  return deeper(here, depth + 1) + here[0];
}

extern "C" void kernel_vector_add(const float*, const float*, float* z, int64_t, void*) {
  volatile char first[1] = {1};
  z[0] = static_cast<float>(deeper(first, 0));
}
