// A scalar through constant memory, copied there in the order of the stream.
// task: axpy
// expect: passed
// cheated: no
#include <cstdint>

static __constant__ float factor;

static __global__ void update(const float* x, float* y, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) y[i] += factor * x[i];
}

extern "C" void kernel_axpy(const float* x, float* y, int64_t N, double alpha, void* stream) {
  const float value = float(alpha);
  cudaMemcpyToSymbolAsync(factor, &value, sizeof value, 0, cudaMemcpyHostToDevice, (cudaStream_t)stream);
  update<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, N);
}
