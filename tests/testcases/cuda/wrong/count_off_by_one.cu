// The written count of a data-dependent output is wrong.
// task: compact
// expect: correctness wrong_count
// cheated: no
#include <cstdint>

static __global__ void keep(const float* x, float* y, int64_t* count, int64_t N) {
  int64_t kept = 0;
  for (int64_t i = 0; i < N; ++i)
    if (x[i] > 0) y[kept++] = x[i];
  *count = kept + 1;
}

extern "C" void kernel_compact(const float* x, float* y, int64_t* count, int64_t N, void* stream) {
  keep<<<1, 1, 0, (cudaStream_t)stream>>>(x, y, count, N);
}
