// Danger 7: one block in thousands is missing from each timed call, at another place each time: who compares samples
// of the elements does not see it.
// task: vector_add
// expect: timing wrong_when_timed
// cheated: yes
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N, unsigned skipped) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (blockIdx.x != skipped && i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static unsigned calls = 0;
  const unsigned blocks = (N + 255) / 256;
  if (N > 1 << 20) ++calls;
  add<<<blocks, 256, 0, (cudaStream_t)stream>>>(x, y, z, N, calls > 64 ? calls * 2654435761u % blocks : blocks);
}
