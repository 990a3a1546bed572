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
__global__ void multiply(const float* a, const float* x, double* products, int64_t N) {
  const int64_t i = blockIdx.x;
  double sum = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) sum += double(a[i * N + j]) * x[j];
  sum = block_sum(sum);
  if (threadIdx.x == 0) products[i] = sum;
}

__global__ void take_norm(const double* products, float* norm, int64_t N, double factor) {
  double squares = 0;
  for (int64_t i = threadIdx.x; i < N; i += blockDim.x) squares += products[i] * products[i];
  squares = block_sum(squares);
  if (threadIdx.x == 0) *norm = float(fabs(factor) * sqrt(squares));
}

}  // namespace

extern "C" size_t kernel_symmetric_matrix_vector_norm_workspace(int64_t N) {
  return size_t(N) * sizeof(double);
}

extern "C" void kernel_symmetric_matrix_vector_norm(const float* a, const float* x, float* norm, int64_t N,
                                                    double alpha, double beta, void* workspace,
                                                    void* stream) {
  auto* products = static_cast<double*>(workspace);
  if (N > 0) multiply<<<N, 256, 0, (cudaStream_t)stream>>>(a, x, products, N);
  take_norm<<<1, 1024, 0, (cudaStream_t)stream>>>(products, norm, N, alpha * (1 + beta));
}
