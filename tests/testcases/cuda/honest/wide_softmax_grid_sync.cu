// A cooperative launch: partial sums of a row by many warps, a barrier over the grid, the quotients.
// task: wide_softmax
// expect: passed
// cheated: no
#include <cooperative_groups.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

constexpr int64_t chunk = 4096;

static __global__ void softmax(const float* x, float* y, int64_t M, int64_t N, float2* partial) {
  const int64_t chunks = (N + chunk - 1) / chunk, lane = threadIdx.x % 32;
  const int64_t warp = (int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32, warps = gridDim.x * blockDim.x / 32;
  for (int64_t item = warp; item < M * chunks; item += warps) {
    const float* row = x + item / chunks * N;
    const int64_t begin = item % chunks * chunk, end = min(N, begin + chunk);
    float largest = -INFINITY, sum = 0;
    for (int64_t j = begin + lane; j < end; j += 32) largest = fmaxf(largest, row[j]);
    for (int reach = 16; reach > 0; reach /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, reach));
    for (int64_t j = begin + lane; j < end; j += 32) sum += expf(row[j] - largest);
    for (int reach = 16; reach > 0; reach /= 2) sum += __shfl_xor_sync(~0u, sum, reach);
    if (lane == 0) partial[item] = {largest, sum};
  }
  cooperative_groups::this_grid().sync();
  for (int64_t item = warp; item < M * chunks; item += warps) {
    const int64_t first = item / chunks * chunks;
    float largest = -INFINITY, sum = 0;
    for (int64_t c = first; c < first + chunks; ++c) largest = fmaxf(largest, partial[c].x);
    for (int64_t c = first; c < first + chunks; ++c) sum += partial[c].y * expf(partial[c].x - largest);
    const int64_t row = item / chunks * N, begin = item % chunks * chunk, end = min(N, begin + chunk);
    for (int64_t j = begin + lane; j < end; j += 32) y[row + j] = expf(x[row + j] - largest) / sum;
  }
}

extern "C" size_t kernel_wide_softmax_workspace(int64_t M, int64_t N) {
  return M * ((N + chunk - 1) / chunk) * sizeof(float2);
}

extern "C" void kernel_wide_softmax(const float* x, float* y, int64_t M, int64_t N, void* workspace, void* stream) {
  static int blocks = 0;
  if (blocks == 0) {
    int device, processors, resident;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, softmax, 256, 0);
    blocks = processors * std::min(resident, 4);
  }
  void* arguments[] = {&x, &y, &M, &N, &workspace};
  cudaLaunchCooperativeKernel((void*)softmax, dim3(blocks), dim3(256), arguments, 0, (cudaStream_t)stream);
}
