// libcu++'s barrier in shared memory, arrived at and waited for apart.
// task: row_mean
// expect: passed
// cheated: no
#include <cuda/barrier>

#include <cstdint>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

#pragma nv_diag_suppress static_var_with_dynamic_init
static __global__ void means(const float* x, float* y, int64_t N) {
  __shared__ Barrier barrier;
  __shared__ float sums[256];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  x += int64_t(blockIdx.x) * N;
  float sum = 0;
  for (int64_t j = threadIdx.x; j < N; j += 256) sum += x[j];
  sums[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    auto token = barrier.arrive();
    barrier.wait(std::move(token));
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) y[blockIdx.x] = sums[0] / float(N);
}

extern "C" void kernel_row_mean(const float* x, float* y, int64_t M, int64_t N, void* stream) {
  means<<<M, 256, 0, (cudaStream_t)stream>>>(x, y, N);
}
