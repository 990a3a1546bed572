// Danger 12: an input changed in place.
// task: vector_add
// expect: correctness input_modified | call crashed
#include <cstdint>

static __global__ void add(float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
  if (i == N / 2) x[i] = 0;
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(const_cast<float*>(x), y, z, N);
}
