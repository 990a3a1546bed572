// An exception that nobody catches.
// task: vector_add
// expect: call crashed
// cheated: no
#include <cstdint>
#include <stdexcept>

extern "C" void kernel_vector_add(const float*, const float*, float*, int64_t, void*) {
  throw std::runtime_error("no such size");
}
