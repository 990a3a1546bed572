// The block that comes last adds the others' sums, and leaves its counter at zero for the next call.
// task: mean
// expect: passed
// cheated: no
#include <cstddef>
#include <cstdint>

constexpr int blocks = 256;
static __device__ unsigned finished;

static __device__ float over_block(float mine) {
  __shared__ float sums[256];
  sums[threadIdx.x] = mine;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  __syncthreads();
  return sums[0];
}

static __global__ void mean(const float* x, float* y, int64_t N, volatile float* sums) {
  __shared__ bool last;
  float sum = 0;
  for (int64_t i = int64_t(blockIdx.x) * 256 + threadIdx.x; i < N; i += blocks * 256) sum += x[i];
  sum = over_block(sum);
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&finished, blocks - 1) == blocks - 1;
  }
  __syncthreads();
  if (!last) return;
  sum = over_block(sums[threadIdx.x]);
  if (threadIdx.x == 0) *y = sum / float(N);
}

extern "C" size_t kernel_mean_workspace(int64_t) { return blocks * sizeof(float); }

extern "C" void kernel_mean(const float* x, float* y, int64_t N, void* workspace, void* stream) {
  mean<<<blocks, 256, 0, (cudaStream_t)stream>>>(x, y, N, static_cast<float*>(workspace));
}
