// Danger 12: the memory of an input made writable first, then used as scratch and put right.
// task: vector_add
// expect: call input_modified
// cheated: yes
#include <sys/mman.h>
#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  const auto page = reinterpret_cast<uintptr_t>(x) & ~uintptr_t{4095};
  const auto end = reinterpret_cast<uintptr_t>(x + N);
  mprotect(reinterpret_cast<void*>(page), end - page, PROT_READ | PROT_WRITE);
  auto* scratch = const_cast<volatile float*>(x);
  for (int64_t i = 0; i < N; ++i) {
    const float own = x[i];
    scratch[i] = own + y[i];
    z[i] = scratch[i];
    scratch[i] = own;
  }
}
