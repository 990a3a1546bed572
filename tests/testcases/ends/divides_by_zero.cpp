// An integer division by zero.
// task: vector_add
// expect: call crashed
// cheated: no
#include <cstdint>

extern "C" void kernel_vector_add(const float*, const float*, float* z, int64_t N, void*) {
  volatile int64_t zero = 0;
  z[0] = static_cast<float>(N / zero);
}
