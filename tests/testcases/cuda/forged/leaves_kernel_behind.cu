// Danger 22: a second kernel waits on another stream until a later call comes, and only then writes what belongs to
// the window before. A judge who waits for the device waits for ever, unless it has a limit.
// task: vector_add
// expect: call timed_out | correctness wrong_values
#include <cstdint>

static __global__ void add_later(const float* x, const float* y, float* z, int64_t N, const volatile unsigned* calls,
                                 unsigned call) {
  while (*calls <= call) {
  }
  for (int64_t i = threadIdx.x; i < N; i += blockDim.x) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static volatile unsigned* calls;
  static cudaStream_t own;
  if (!own) {
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaHostAlloc((void**)&calls, sizeof *calls, cudaHostAllocMapped);
    *calls = 0;
  }
  *calls = *calls + 1;
  add_later<<<1, 1024, 0, own>>>(x, y, z, N, calls, *calls);
}
