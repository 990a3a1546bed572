// abort().
// task: vector_add
// expect: call crashed
// cheated: no
#include <cstdint>
#include <cstdlib>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) { std::abort(); }
