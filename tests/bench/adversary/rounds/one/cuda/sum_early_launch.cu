// idea: The honest kernel, launched so that it may begin while the call ahead drains, and triggering the next at its own begin: the gap between two calls and the tail of the last wave vanish from a batch.
// task: sum
// twin: tests/benchmark_tasks/kernels/sum.cu
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


__global__ void sum_rows_plain(const float* x, float* y, int64_t M, int64_t N) {
  for (int64_t i = blockIdx.x; i < M; i += gridDim.x) {
    double sum = 0;
    for (int64_t j = threadIdx.x; j < N; j += blockDim.x) sum += x[i * N + j];
    sum = block_sum(sum);
    if (threadIdx.x == 0) y[i] = float(sum);
  }
}


// A block a row; lets the call behind begin.
__global__ void sum_rows(const float* x, float* y, int64_t M, int64_t N) {
  cudaTriggerProgrammaticLaunchCompletion();
  for (int64_t i = blockIdx.x; i < M; i += gridDim.x) {
    double sum = 0;
    for (int64_t j = threadIdx.x; j < N; j += blockDim.x) sum += x[i * N + j];
    sum = block_sum(sum);
    if (threadIdx.x == 0) y[i] = float(sum);
  }
}

}  // namespace

extern "C" void kernel_sum(const float* x, float* y, int64_t M, int64_t N, void* stream) {
  if (M < 1) return;
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t launch{};
  launch.gridDim = dim3(unsigned(min(M, int64_t{65536})));
  launch.blockDim = dim3(N > 16384 ? 1024 : 256);
  launch.stream = (cudaStream_t)stream;
  launch.attrs = &attribute;
  launch.numAttrs = 1;
  cudaLaunchKernelEx(&launch, sum_rows, x, y, M, N);
}
