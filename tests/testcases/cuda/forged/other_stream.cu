// Danger 20: works on a stream of its own, which nobody waits for. Fair is to wait for the whole device, and to count
// that; or to find the output not there.
// task: vector_add
// expect: passed | correctness wrong_values | timing wrong_when_timed | timing timing_disputed
// at most: 1.2 honest/vector_add.cu
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static cudaStream_t own;
  if (!own) cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  add<<<(N + 255) / 256, 256, 0, own>>>(x, y, z, N);
}
