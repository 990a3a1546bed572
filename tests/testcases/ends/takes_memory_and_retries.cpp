// Takes memory until there is none, and then asks for more, for ever.
// task: vector_add
// expect: call memory_limit
// cheated: no
#include <cstdint>
#include <cstdlib>
#include <cstring>

extern "C" void kernel_vector_add(const float*, const float*, float* z, int64_t, void*) {
  for (;;)
    if (void* block = std::malloc(1 << 24)) {
      std::memset(block, 1, 64);
      z[0] = *static_cast<char*>(block);
    }
}
