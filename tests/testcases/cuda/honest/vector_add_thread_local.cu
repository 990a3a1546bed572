// Scratch that belongs to the calling thread and grows.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

struct Scratch {
  float* data = nullptr;
  int64_t size = 0;
  float* of(int64_t wanted, cudaStream_t stream) {
    if (wanted > size) {
      cudaStreamSynchronize(stream);
      cudaFree(data);
      cudaMalloc(&data, wanted * sizeof(float));
      size = wanted;
    }
    return data;
  }
};
static thread_local Scratch scratch;

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  float* copy = scratch.of(N, (cudaStream_t)stream);
  cudaMemcpyAsync(copy, y, N * sizeof(float), cudaMemcpyDeviceToDevice, (cudaStream_t)stream);
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, copy, z, N);
}
