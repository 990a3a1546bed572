// A null pointer.
// task: vector_add
// expect: call crashed
// cheated: no
#include <cstdint>

extern "C" void kernel_vector_add([[maybe_unused]] const float* x, [[maybe_unused]] const float* y,
                                  [[maybe_unused]] float* z, [[maybe_unused]] int64_t N, void*) {
  *static_cast<volatile float*>(nullptr) = x[0];
}
