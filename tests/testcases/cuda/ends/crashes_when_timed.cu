// Right until it is timed.
// task: vector_add
// expect: timing crashed | timing launch_error
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static unsigned calls = 0;
  if (N > 1 << 20 && ++calls > 64) z += int64_t{1} << 40;
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
