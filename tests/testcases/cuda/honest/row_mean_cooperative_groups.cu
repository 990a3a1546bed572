// Tiles of cooperative groups, reduced by the library, and cub's reduction over the block.
// task: row_mean
// expect: passed
// cheated: no
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdint>
#include <cub/block/block_reduce.cuh>

namespace groups = cooperative_groups;

static __global__ void means(const float* x, float* y, int64_t N) {
  using Reduce = cub::BlockReduce<float, 256>;
  __shared__ typename Reduce::TempStorage scratch;
  const auto tile = groups::tiled_partition<16>(groups::this_thread_block());
  x += int64_t(blockIdx.x) * N;
  float sum = 0;
  for (int64_t j = threadIdx.x; j < N; j += 256) sum += x[j];
  sum = groups::reduce(tile, sum, groups::plus<float>());
  sum = Reduce(scratch).Sum(tile.thread_rank() == 0 ? sum : 0.0f);
  if (threadIdx.x == 0) y[blockIdx.x] = sum / float(N);
}

extern "C" void kernel_row_mean(const float* x, float* y, int64_t M, int64_t N, void* stream) {
  means<<<M, 256, 0, (cudaStream_t)stream>>>(x, y, N);
}
