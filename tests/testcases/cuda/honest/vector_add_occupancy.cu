// Asks the occupancy calculator for a block size, and keeps the device's properties in a static.
// task: vector_add
// expect: passed
// cheated: no
#include <algorithm>
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < N; i += step) z[i] = x[i] + y[i];
}

static const cudaDeviceProp& properties() {
  static const cudaDeviceProp known = [] {
    cudaDeviceProp asked;
    int device = 0;
    cudaGetDevice(&device);
    cudaGetDeviceProperties(&asked, device);
    return asked;
  }();
  return known;
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  int blocks = 0, threads = 0, each = 0;
  cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, add);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, add, threads, 0);
  const int64_t most = int64_t(each) * properties().multiProcessorCount;
  add<<<std::min<int64_t>((N + threads - 1) / threads, most), threads, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
