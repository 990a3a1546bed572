// idea: A call fills an eighth of the device or less (a block of 128 threads for each of 128 matrices). Every call goes to another of sixteen streams, one kernel each and nothing to join, and the runner waits for the context at the end of a batch: calls overlap. cuda/forged/overlaps_calls does so with a kernel that fills the device.
// task: cholesky
// twin: tests/benchmark_tasks/kernels/cholesky.cu
#include <cstdint>

namespace {

// A block a matrix, column by column; a thread some rows of the column.
__global__ void factorize(const float* a, float* l, int64_t B, int64_t N) {
  for (int64_t b = blockIdx.x; b < B; b += gridDim.x) {
    const float* from = a + b * N * N;
    float* to = l + b * N * N;
    for (int64_t j = 0; j < N; ++j) {
      for (int64_t i = threadIdx.x; i < N; i += blockDim.x) {
        double rest = from[i * N + j];
        for (int64_t k = 0; k < j && i >= j; ++k) rest -= double(to[i * N + k]) * to[j * N + k];
        to[i * N + j] = i < j ? 0 : float(rest);
      }
      __syncthreads();
      const float pivot = sqrtf(to[j * N + j]);
      __syncthreads();
      for (int64_t i = threadIdx.x; i < N; i += blockDim.x)
        if (i >= j) to[i * N + j] = i == j ? pivot : to[i * N + j] / pivot;
      __syncthreads();
    }
  }
}

}  // namespace

extern "C" void kernel_cholesky(const float* a, float* l, int64_t B, int64_t N, void* stream) {
  if (B * N < 1) return;
  const int64_t blocks = min(B, int64_t{65536});
  static unsigned calls = 0;
  static cudaStream_t sides[16];
  if (!sides[0])
    for (auto& side : sides) cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  factorize<<<blocks, 128, 0, sides[++calls % 16]>>>(a, l, B, N);
}
