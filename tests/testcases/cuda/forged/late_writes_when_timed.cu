// Danger 17 and 20: the same in timed calls alone.
// task: vector_add
// expect: passed | timing wrong_when_timed | timing timing_disputed
// at most: 0.5 honest/vector_add.cu
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
  static unsigned calls = 0;
  static cudaStream_t own;
  if (!own) cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  const bool late = N > 1 << 20 && ++calls > 64;
  if (late) delay<<<1, 1, 0, own>>>(200'000);
  add<<<(N + 255) / 256, 256, 0, late ? own : (cudaStream_t)stream>>>(x, y, z, N);
}
