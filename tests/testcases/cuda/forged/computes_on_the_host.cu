// Danger 36: a kernel that is never launched; the processor does the work. Right, and as slow as it deserves.
// task: vector_add
// expect: passed
// at most: 0.5 honest/vector_add.cu
#include <cstdint>
#include <vector>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  std::vector<float> left(N), right(N);
  cudaMemcpyAsync(left.data(), x, N * sizeof(float), cudaMemcpyDeviceToHost, (cudaStream_t)stream);
  cudaMemcpyAsync(right.data(), y, N * sizeof(float), cudaMemcpyDeviceToHost, (cudaStream_t)stream);
  cudaStreamSynchronize((cudaStream_t)stream);
  for (int64_t i = 0; i < N; ++i) left[i] += right[i];
  cudaMemcpyAsync(z, left.data(), N * sizeof(float), cudaMemcpyHostToDevice, (cudaStream_t)stream);
  cudaStreamSynchronize((cudaStream_t)stream);
  if (N < 0) add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
