// A barrier over the grid of one's own, which spins on a volatile number and naps.
// task: mean
// expect: passed
// cheated: no
#include <cstddef>
#include <cstdint>

constexpr int blocks = 64;  // far fewer than the device holds at once

static __global__ void mean(const float* x, float* y, int64_t N, float* sums, int* arrived) {
  __shared__ float shared[256];
  float sum = 0;
  for (int64_t i = int64_t(blockIdx.x) * 256 + threadIdx.x; i < N; i += blocks * 256) sum += x[i];
  shared[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
  }
  if (threadIdx.x != 0) return;
  sums[blockIdx.x] = shared[0];
  __threadfence();
  atomicAdd(arrived, 1);
  if (blockIdx.x != 0) return;
  while (*static_cast<volatile int*>(arrived) != blocks) __nanosleep(100);
  __threadfence();
  float all = 0;
  for (int block = 0; block < blocks; ++block) all += static_cast<volatile float*>(sums)[block];
  *y = all / float(N);
}

extern "C" size_t kernel_mean_workspace(int64_t) { return blocks * sizeof(float) + sizeof(int); }

extern "C" void kernel_mean(const float* x, float* y, int64_t N, void* workspace, void* stream) {
  auto* sums = static_cast<float*>(workspace);
  auto* arrived = reinterpret_cast<int*>(sums + blocks);
  cudaMemsetAsync(arrived, 0, sizeof(int), (cudaStream_t)stream);
  mean<<<blocks, 256, 0, (cudaStream_t)stream>>>(x, y, N, sums, arrived);
}
