// Danger 33: every thread prints, in every call. The device keeps a megabyte a launch, whose printing takes time.
// task: vector_add
// expect: call sandbox_violation | timing sandbox_violation | call timed_out | timing timed_out | passed
// at most: 0.5 honest/vector_add.cu
#include <cstdint>
#include <cstdio>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
  printf("more and more and more and more and more and more and more of %lld\n", static_cast<long long>(i));
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
