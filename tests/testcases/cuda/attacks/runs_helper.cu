// Danger 33: starts a program beside it, as system() does. Right only where it was allowed.
// task: vector_add
// expect: call sandbox_violation | correctness wrong_values
#include <cstdint>
#include <cstdlib>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  if (std::system("true") == 0) add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
