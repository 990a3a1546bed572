// Danger 32, before its first call: from a static constructor.
// task: vector_add
// expect: call sandbox_violation | correctness wrong_values | call load_error
#include <sys/socket.h>

#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static const int channel = socket(AF_INET, SOCK_STREAM, 0);

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  if (channel >= 0) add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
