#include <cstdint>

namespace {

// A thread an output: neighbours read neighbours, at every step of k.
__global__ void mean_of_columns(const float* x, float* y, int64_t M, int64_t K, int64_t N) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t at = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; at < M * N; at += step) {
    const float* column = x + at / N * K * N + at % N;
    double sum = 0;
#pragma unroll 8
    for (int64_t k = 0; k < K; ++k) sum += column[k * N];
    y[at] = float(sum / double(K));
  }
}

}  // namespace

extern "C" void kernel_mean(const float* x, float* y, int64_t M, int64_t K, int64_t N, void* stream) {
  if (M * N < 1) return;
  const int64_t blocks = min((M * N + 127) / 128, int64_t{65536});
  mean_of_columns<<<blocks, 128, 0, (cudaStream_t)stream>>>(x, y, M, K, N);
}
