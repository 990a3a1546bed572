// Begins a capture on the judge's stream and never ends it: its own launch is recorded, and nothing runs.
// task: vector_add
// expect: call crashed | call exited | correctness wrong_values | call launch_error
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  cudaStreamBeginCapture((cudaStream_t)stream, cudaStreamCaptureModeGlobal);
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
