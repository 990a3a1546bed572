// An exception that nobody catches.
// task: vector_add
// expect: call crashed
// cheated: no
#include <cstdint>
#include <stdexcept>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  throw std::runtime_error("no such size");
}
