// Tickets instead of a scan: the right elements in any order.
// task: compact
// expect: correctness wrong_values
// cheated: no
#include <cstdint>

static __global__ void keep(const float* x, float* y, int64_t* count, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N && x[N - 1 - i] > 0) y[atomicAdd((unsigned long long*)count, 1ull)] = x[N - 1 - i];
}

extern "C" void kernel_compact(const float* x, float* y, int64_t* count, int64_t N, void* stream) {
  cudaMemsetAsync(count, 0, sizeof *count, (cudaStream_t)stream);
  keep<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, count, N);
}
