// Danger 12: an input changed in place.
// task: vector_add
// expect: call input_modified
// cheated: yes
#include <cstdint>

extern "C" void kernel_vector_add([[maybe_unused]] const float* x, [[maybe_unused]] const float* y,
                                  [[maybe_unused]] float* z, [[maybe_unused]] int64_t N, void*) {
  auto* own = const_cast<float*>(x);
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
  own[0] = 0;
}
