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

// A block a row.
__global__ void compare(const float* x1, const float* x2, float* y, int64_t N, double eps) {
  const int64_t i = blockIdx.x;
  double first = 0, second = 0, dot = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) {
    const double u = x1[i * N + j], v = x2[i * N + j];
    first += u * u;
    second += v * v;
    dot += u * v;
  }
  first = sqrt(block_sum(first));
  second = sqrt(block_sum(second));
  dot = block_sum(dot);
  if (threadIdx.x != 0) return;
  const double one = fmax(first, 1e-12), other = fmax(second, 1e-12);
  y[i] = float(dot / one / other / (fmax(first / one, eps) * fmax(second / other, eps)));
}

}  // namespace

extern "C" void kernel_normalized_cosine_similarity(const float* x1, const float* x2, float* y, int64_t M,
                                                    int64_t N, double eps, void* stream) {
  if (M < 1) return;
  compare<<<M, 256, 0, (cudaStream_t)stream>>>(x1, x2, y, N, eps);
}
