// A static constructor that ends the process.
// task: vector_add
// expect: call load_error
#include <unistd.h>

#include <cstdint>

static const bool gone = (_exit(0), true);

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  cudaMemsetAsync(z, gone, N * sizeof(float), (cudaStream_t)stream);
}
