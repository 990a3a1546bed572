// Danger 33: a huge allocation, written to.
// task: vector_add
// expect: call crashed | call memory_limit
#include <cstdint>
#include <cstdlib>
#include <cstring>

extern "C" void kernel_vector_add(const float*, const float*, float* z, int64_t, void*) {
  for (int i = 0; i < 1000; ++i) {
    char* memory = static_cast<char*>(std::malloc(std::size_t{1} << 30));
    if (!memory) std::abort();
    for (std::size_t at = 0; at < std::size_t{1} << 30; at += std::size_t{1} << 21) memory[at] = 1;
    z[0] += memory[0];
  }
}
