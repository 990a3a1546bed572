// Danger 7: after some calls it takes the inputs from copies that were made before, by the same launches.
// task: vector_add
// expect: timing wrong_when_timed
// cheated: yes
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static unsigned calls = 0;
  static float *old_x, *old_y;
  if (N > 1 << 20 && ++calls == 1) {
    cudaMalloc(&old_x, N * sizeof(float));
    cudaMalloc(&old_y, N * sizeof(float));
    cudaMemcpyAsync(old_x, x, N * sizeof(float), cudaMemcpyDeviceToDevice, (cudaStream_t)stream);
    cudaMemcpyAsync(old_y, y, N * sizeof(float), cudaMemcpyDeviceToDevice, (cudaStream_t)stream);
  }
  if (calls > 64 && N > 1 << 20) x = old_x, y = old_y;  // they stay in the cache
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
