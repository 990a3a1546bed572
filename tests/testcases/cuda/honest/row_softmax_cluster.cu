// Two blocks a row, which read each other's shared memory.
// task: row_softmax
// expect: passed
// cheated: no
#include <cooperative_groups.h>

#include <cmath>
#include <cstdint>

namespace groups = cooperative_groups;

static __global__ void __cluster_dims__(2, 1, 1) softmax(const float* x, float* y, int64_t N) {
  __shared__ float shared[2];  // maximum and sum of this block's half
  const auto cluster = groups::this_cluster();
  const int64_t half = (N + 1) / 2, begin = cluster.block_rank() * half, end = min(N, begin + half);
  x += blockIdx.x / 2 * N;
  y += blockIdx.x / 2 * N;
  float largest = -INFINITY, sum = 0;
  for (int64_t j = begin + threadIdx.x; j < end; j += 32) largest = fmaxf(largest, x[j]);
  for (int reach = 16; reach > 0; reach /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, reach));
  if (threadIdx.x == 0) shared[0] = largest;
  cluster.sync();
  largest = fmaxf(largest, cluster.map_shared_rank(shared, 1 - cluster.block_rank())[0]);
  for (int64_t j = begin + threadIdx.x; j < end; j += 32) sum += expf(x[j] - largest);
  for (int reach = 16; reach > 0; reach /= 2) sum += __shfl_xor_sync(~0u, sum, reach);
  if (threadIdx.x == 0) shared[1] = sum;
  cluster.sync();
  sum += cluster.map_shared_rank(shared, 1 - cluster.block_rank())[1];
  for (int64_t j = begin + threadIdx.x; j < end; j += 32) y[j] = expf(x[j] - largest) / sum;
  cluster.sync();  // nobody leaves while its shared memory is read
}

extern "C" void kernel_row_softmax(const float* x, float* y, int64_t M, int64_t N, void* stream) {
  softmax<<<2 * M, 32, 0, (cudaStream_t)stream>>>(x, y, N);
}
