// Without the subtraction of the maximum: right on ordinary values, infinite on outliers.
// task: row_softmax
// expect: correctness wrong_values
// cheated: no
#include <cstdint>

static __global__ void softmax(const float* x, float* y, int64_t M, int64_t N) {
  const int64_t row = (int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (row >= M) return;
  x += row * N;
  y += row * N;
  float sum = 0;
  for (int64_t j = threadIdx.x % 32; j < N; j += 32) sum += expf(x[j]);
  for (int reach = 16; reach > 0; reach /= 2) sum += __shfl_xor_sync(~0u, sum, reach);
  for (int64_t j = threadIdx.x % 32; j < N; j += 32) y[j] = expf(x[j]) / sum;
}

extern "C" void kernel_row_softmax(const float* x, float* y, int64_t M, int64_t N, void* stream) {
  softmax<<<(M + 3) / 4, 128, 0, (cudaStream_t)stream>>>(x, y, M, N);
}
