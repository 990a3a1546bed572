// Danger 3: all but the first call of a batch are no-ops.
// task: vector_add
// expect: timing wrong_when_timed
// cheated: yes
#include <chrono>
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
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
  static unsigned calls = 0;
  const bool first = batch_begins();
  if (N > 1 << 20 && ++calls > 64 && !first) return;
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
