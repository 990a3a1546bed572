// Danger 4 and 27: slow at first, so that whoever chooses a batch by the first calls, or takes them for the cost of a
// batch and subtracts it, is misled.
// task: vector_add
// expect: passed | timing timing_disputed
// at most: 1.2 honest/vector_add.cu
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
  if (N > 1 << 20 && ++calls < 200) delay<<<1, 1, 0, (cudaStream_t)stream>>>(2'000'000);
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
