// Danger 4: a call that is checked finds the stream idle; one that is timed finds its predecessors at work.
// task: vector_add
// expect: timing wrong_when_timed
// cheated: yes
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static unsigned calls = 0;
  if (N > 1 << 20 && ++calls > 48 && cudaStreamQuery((cudaStream_t)stream) == cudaErrorNotReady) return;
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
