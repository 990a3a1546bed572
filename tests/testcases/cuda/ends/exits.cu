// Danger 28: exit(0), in the hope that it counts as success.
// task: vector_add
// expect: call exited
#include <cstdint>
#include <cstdlib>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) { std::exit(0); }
