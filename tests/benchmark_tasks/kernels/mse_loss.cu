#include <cstddef>
#include <cstdint>

namespace {

constexpr int64_t most_blocks = 1024;

int64_t blocks_for(int64_t N) {
  const int64_t blocks = (N + 255) / 256;
  return blocks < 1 ? 1 : blocks < most_blocks ? blocks : most_blocks;
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

__global__ void sum_parts(const float* x, const float* y, double* parts, int64_t N) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  double sum = 0;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < N; i += step) {
    const double d = double(x[i]) - y[i];
    sum += d * d;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

__global__ void finish(const double* parts, int64_t count, float* loss, int64_t N) {
  double sum = 0;
  for (int64_t i = threadIdx.x; i < count; i += blockDim.x) sum += parts[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) *loss = float(sum / double(N));
}

}  // namespace

extern "C" size_t kernel_mse_loss_workspace(int64_t N) {
  return size_t(blocks_for(N)) * sizeof(double);
}

extern "C" void kernel_mse_loss(const float* x, const float* y, float* loss, int64_t N, void* workspace,
                                void* stream) {
  auto* parts = static_cast<double*>(workspace);
  const int64_t blocks = blocks_for(N);
  sum_parts<<<blocks, 256, 0, (cudaStream_t)stream>>>(x, y, parts, N);
  finish<<<1, 256, 0, (cudaStream_t)stream>>>(parts, blocks, loss, N);
}
