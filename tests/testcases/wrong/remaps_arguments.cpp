// Puts memory of its own where the arguments were: nothing of what it writes arrives.
// task: vector_add
// expect: correctness wrong_values | call crashed
#include <sys/mman.h>

#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  const auto page = reinterpret_cast<uintptr_t>(z) & ~uintptr_t{4095};
  const auto end = (reinterpret_cast<uintptr_t>(z + N) + 4095) & ~uintptr_t{4095};
  mmap(reinterpret_cast<void*>(page), end - page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
       0);
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
