// As many blocks as the device holds, asked for once.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < N; i += step) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static int blocks = 0;
  if (blocks == 0) {
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0);
    blocks *= device.multiProcessorCount;
  }
  add<<<blocks, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
