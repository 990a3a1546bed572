// Danger 12: an input as scratch memory, put right before the call returns.
// task: vector_add
// expect: call input_modified
// cheated: yes
#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  auto* scratch = const_cast<volatile float*>(x);
  for (int64_t i = 0; i < N; ++i) {
    const float own = x[i];
    scratch[i] = own + y[i];
    z[i] = scratch[i];
    scratch[i] = own;
  }
}
