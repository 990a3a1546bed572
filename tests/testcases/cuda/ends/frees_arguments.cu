// Frees what it was given, as if it were its own. The driver knows better where the memory is the judge's.
// task: vector_add
// expect: passed | call crashed | call exited | correctness wrong_values | call launch_error
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
  cudaStreamSynchronize((cudaStream_t)stream);
  cudaFree(const_cast<float*>(x));
}
