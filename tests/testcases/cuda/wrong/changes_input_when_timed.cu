// Danger 12 and 7: an input spoilt in timed calls alone, so that whoever expects the sum of what is there now expects
// less.
// task: vector_add
// expect: timing input_modified | timing wrong_when_timed | call crashed
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static unsigned calls = 0;
  if (N > 1 << 20 && ++calls > 64) {
    cudaMemsetAsync(const_cast<float*>(x), 0, N * sizeof(float), (cudaStream_t)stream);
    cudaMemsetAsync(const_cast<float*>(y), 0, N * sizeof(float), (cudaStream_t)stream);
    cudaMemsetAsync(z, 0, N * sizeof(float), (cudaStream_t)stream);
    return;
  }
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
