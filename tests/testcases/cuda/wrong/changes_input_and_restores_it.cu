// Danger 12: the sum is made in an input, and the input of the last call put right in the next.
// task: vector_add
// expect: correctness input_modified | call crashed
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static float *last = nullptr, *saved = nullptr;
  static int64_t count = 0;
  const auto queue = (cudaStream_t)stream;
  if (last) cudaMemcpyAsync(last, saved, count * sizeof(float), cudaMemcpyDeviceToDevice, queue);
  cudaFreeAsync(saved, queue);
  last = const_cast<float*>(x);
  count = N;
  cudaMallocAsync(&saved, N * sizeof(float), queue);
  cudaMemcpyAsync(saved, x, N * sizeof(float), cudaMemcpyDeviceToDevice, queue);
  add<<<(N + 255) / 256, 256, 0, queue>>>(x, y, last, N);
  cudaMemcpyAsync(z, last, N * sizeof(float), cudaMemcpyDeviceToDevice, queue);
}
