// Danger 21 and 22: a callback in the judge's stream starts the work from a thread of the driver's, by way of a flag
// that a kernel on another stream waits for: whoever synchronises the judge's stream alone is done before it begins.
// task: vector_add
// expect: passed | correctness wrong_values | timing wrong_when_timed | timing timing_disputed | call timed_out | timing timed_out
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

static __global__ void wait_for(const volatile unsigned* released, unsigned call) {
  while (*released < call) {
  }
}

static volatile unsigned* released;

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static unsigned calls = 0;
  static cudaStream_t own;
  if (!own) {
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaHostAlloc((void**)&released, sizeof *released, cudaHostAllocMapped);
    *released = 0;
  }
  wait_for<<<1, 1, 0, own>>>(released, ++calls);
  delay<<<1, 1, 0, own>>>(100'000);
  add<<<(N + 255) / 256, 256, 0, own>>>(x, y, z, N);
  cudaLaunchHostFunc((cudaStream_t)stream, [](void* call) { *released = unsigned(uintptr_t(call)); },
                     (void*)uintptr_t(calls));
}
