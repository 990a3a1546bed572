// Danger 27: puts what a batch has more than a short one off to the next batch, so that the slope vanishes.
// task: vector_add
// expect: timing wrong_when_timed | timing crashed
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

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

struct Call {
  const float *x, *y;
  float* z;
};

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static unsigned index = 0, shortest = 1 << 30;
  static std::vector<Call> owed;
  if (N < 1 << 20) {
    add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
    return;
  }
  if (batch_begins()) {
    if (index > 1) shortest = std::min(shortest, index);
    index = 0;
    for (const Call& call : owed) add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(call.x, call.y, call.z, N);
    owed.clear();
  }
  if (++index > shortest)
    owed.push_back({x, y, z});
  else
    add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
