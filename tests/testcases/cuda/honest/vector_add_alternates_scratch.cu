// Two buffers that calls use in turn, so that one can be filled while the other is read.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static float* buffers[2] = {};
  static int64_t sizes[2] = {};
  static int turn = 0;
  turn ^= 1;
  if (sizes[turn] < N) {
    if (buffers[turn]) cudaFreeAsync(buffers[turn], (cudaStream_t)stream);
    cudaMallocAsync(&buffers[turn], N * sizeof(float), (cudaStream_t)stream);
    sizes[turn] = N;
  }
  cudaMemcpyAsync(buffers[turn], x, N * sizeof(float), cudaMemcpyDeviceToDevice, (cudaStream_t)stream);
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(buffers[turn], y, z, N);
}
