// Danger 26: takes the processor's cores from the judge and from the baseline.
// task: vector_add
// expect: passed | timing timing_disputed | call sandbox_violation
// at most: 1.2 honest/vector_add.cu
#include <cstdint>
#include <thread>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static int burning = 0;
  for (; burning < 64; ++burning)
    std::thread([] {
      for (volatile unsigned turns = 0;; turns = turns + 1) {
      }
    }).detach();
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
