#include <cstddef>
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
__global__ void work_on_row(const float* x1, const float* x2, const uint8_t* alike, double* parts, int64_t N,
                            double margin) {
  const int64_t i = blockIdx.x;
  const float *first = x1 + i * N, *second = x2 + i * N;
  double one = 0, other = 0, dot = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) {
    one += double(first[j]) * first[j];
    other += double(second[j]) * second[j];
    dot += double(first[j]) * second[j];
  }
  one = block_sum(one);
  other = block_sum(other);
  dot = block_sum(dot);
  if (threadIdx.x != 0) return;
  const double left = fmax(sqrt(one), 1e-12), right = fmax(sqrt(other), 1e-12);
  const double lengths = (one / (left * left) + 1e-12) * (other / (right * right) + 1e-12);
  const double cosine = dot / left / right / sqrt(lengths);
  parts[i] = alike[i] ? 1 - cosine : fmax(cosine - margin, 0.0);
}

__global__ void finish(const double* parts, float* loss, int64_t M) {
  double total = 0;
  for (int64_t i = threadIdx.x; i < M; i += blockDim.x) total += parts[i];
  total = block_sum(total);
  if (threadIdx.x == 0) *loss = float(total / double(M));
}

}  // namespace

extern "C" size_t kernel_fused_cosine_embedding_loss_with_normalization_workspace(int64_t M, int64_t) {
  return size_t(M) * sizeof(double);
}

extern "C" void kernel_fused_cosine_embedding_loss_with_normalization(const float* x1, const float* x2,
                                                                      const uint8_t* alike, float* loss,
                                                                      int64_t M, int64_t N, double margin,
                                                                      void* workspace, void* stream) {
  auto* parts = static_cast<double*>(workspace);
  if (M > 0) work_on_row<<<M, 256, 0, (cudaStream_t)stream>>>(x1, x2, alike, parts, N, margin);
  finish<<<1, 1024, 0, (cudaStream_t)stream>>>(parts, loss, M);
}
