#include <cstdint>

namespace {

/// The sum over the block, for every thread of it.
__device__ double block_sum(double value) {
  __shared__ double parts[32];
  for (int reach = 16; reach > 0; reach /= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, reach);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0;
  for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) value += parts[warp];
  __syncthreads();
  return value;
}

// A block a batch.
__global__ void normalize(const float* x1, const float* x2, float* y, int64_t M, int64_t N, double eps) {
  const int64_t b = blockIdx.x;
  float* row = y + b * M;
  double squares = 0;
  for (int64_t i = 0; i < M; ++i) {
    const float *first = x1 + (b * M + i) * N, *second = x2 + (b * M + i) * N;
    double sum = 0;
    for (int64_t j = threadIdx.x; j < N; j += blockDim.x) {
      const double difference = double(first[j]) - second[j];
      sum += difference * difference;
    }
    const double distance = sqrt(block_sum(sum)) + eps;
    if (threadIdx.x == 0) row[i] = float(distance);
    squares += distance * distance;
  }
  __syncthreads();
  const double norm = fmax(sqrt(squares), 1e-12);
  for (int64_t i = threadIdx.x; i < M; i += blockDim.x) row[i] = float(row[i] / norm);
}

}  // namespace

extern "C" void kernel_normalize_pairwise_distance(const float* x1, const float* x2, float* y, int64_t B,
                                                   int64_t M, int64_t N, double eps, void* stream) {
  if (B * M < 1) return;
  normalize<<<B, 256, 0, (cudaStream_t)stream>>>(x1, x2, y, M, N, eps);
}
