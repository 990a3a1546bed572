#include <cstdint>

namespace {

/// SplitMix64 as a function of a counter (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014).
__device__ uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// Whether dropout keeps element e: with probability 1 - p.
__device__ bool keeps(int64_t seed, int64_t e, double p) {
  constexpr uint64_t golden = 0x9E3779B97F4A7C15u;
  const uint64_t key = mix(uint64_t(seed) + golden);
  return double(mix(key + uint64_t(e + 1) * golden) >> 11) * 0x1p-53 >= p;
}

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

/// The maximum over the block, for every thread of it.
__device__ float block_max(float value) {
  __shared__ float parts[32];
  for (int reach = 16; reach > 0; reach /= 2)
    value = fmaxf(value, __shfl_xor_sync(0xFFFFFFFFu, value, reach));
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = parts[0];
  for (unsigned warp = 1; warp < blockDim.x / 32; ++warp) value = fmaxf(value, parts[warp]);
  __syncthreads();
  return value;
}

// A block a row.
__global__ void multiply(const float* a, const float* v, float* y, int64_t N) {
  const int64_t i = blockIdx.x;
  double sum = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) sum += double(a[i * N + j]) * v[j];
  sum = block_sum(sum);
  if (threadIdx.x == 0) y[i] = float(sum);
}

// One block: there is but one number a row.
__global__ void normalize_and_drop(const int64_t* seed, uint8_t* mask, float* y, int64_t M, double p) {
  float largest = -INFINITY;
  for (int64_t i = threadIdx.x; i < M; i += blockDim.x) largest = fmaxf(largest, y[i]);
  largest = block_max(largest);
  double sum = 0;
  for (int64_t i = threadIdx.x; i < M; i += blockDim.x) sum += expf(y[i] - largest);
  const double logarithm = log(block_sum(sum));
  for (int64_t i = threadIdx.x; i < M; i += blockDim.x) {
    const bool kept = keeps(seed[0], i, p);
    mask[i] = kept;
    y[i] = kept ? float(y[i] - largest - logarithm) * float(1 / (1 - p)) : 0;
  }
}

}  // namespace

extern "C" void kernel_fused_mv_logsoftmax_dropout(const float* a, const float* v, const int64_t* seed,
                                                   uint8_t* mask, float* y, int64_t M, int64_t N, double p,
                                                   void* stream) {
  if (M < 1) return;
  const auto queue = (cudaStream_t)stream;
  multiply<<<M, 256, 0, queue>>>(a, v, y, N);
  normalize_and_drop<<<1, 1024, 0, queue>>>(seed, mask, y, M, p);
}
