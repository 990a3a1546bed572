// Copies its rows to pitched memory first, by a two-dimensional copy.
// task: row_mean
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void means(const char* x, size_t pitch, float* y, int64_t N) {
  const auto* row = reinterpret_cast<const float*>(x + blockIdx.x * pitch);
  __shared__ float sums[256];
  float sum = 0;
  for (int64_t j = threadIdx.x; j < N; j += 256) sum += row[j];
  sums[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) y[blockIdx.x] = sums[0] / float(N);
}

extern "C" void kernel_row_mean(const float* x, float* y, int64_t M, int64_t N, void* stream) {
  char* rows = nullptr;
  size_t pitch = 0;
  cudaMallocPitch(&rows, &pitch, N * sizeof(float), M);
  cudaMemcpy2DAsync(rows, pitch, x, N * sizeof(float), N * sizeof(float), M, cudaMemcpyDeviceToDevice,
                    (cudaStream_t)stream);
  means<<<M, 256, 0, (cudaStream_t)stream>>>(rows, pitch, y, N);
  cudaStreamSynchronize((cudaStream_t)stream);
  cudaFree(rows);
}
