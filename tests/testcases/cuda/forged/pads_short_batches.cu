// Danger 27: wastes time before the batch that follows a long one, expecting a short one, so that the slope between
// the two vanishes. Whole batches then count.
// task: vector_add
// expect: passed | timing timing_disputed
// at most: 1.2 honest/vector_add.cu
#include <chrono>
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static __global__ void delay(long long cycles) {
  for (const long long begin = clock64(); clock64() - begin < cycles;) {
  }
}

/// Whether the judge did something else since the last call.
static bool batch_begins() {
  static std::chrono::steady_clock::time_point last;
  const auto now = std::chrono::steady_clock::now();
  const bool begins = now - last > std::chrono::microseconds(100);
  last = now;
  return begins;
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static unsigned calls = 0, index = 0, before = 0, last = 0;
  if (batch_begins()) {
    before = last;
    last = index;
    index = 0;
  }
  if (N > 1 << 20 && ++calls > 64 && ++index == 1 && last > before)
    delay<<<1, 1, 0, (cudaStream_t)stream>>>(20'000 * (last - before));
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
