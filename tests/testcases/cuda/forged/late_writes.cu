// Danger 17: writes milliseconds later, on a stream that nobody waits for. Passes only who is as slow as it is.
// task: vector_add
// expect: passed | correctness wrong_values | timing wrong_when_timed | timing timing_disputed
// at most: 0.1 honest/vector_add.cu
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static __global__ void delay(long long cycles) {
  for (const long long begin = clock64(); clock64() - begin < cycles;) {
  }
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static cudaStream_t own;
  if (!own) cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  delay<<<1, 1, 0, own>>>(5'000'000);
  add<<<(N + 255) / 256, 256, 0, own>>>(x, y, z, N);
}
