// A negative count.
// task: compact
// expect: correctness wrong_count
// cheated: no
#include <cstdint>

static __global__ void owe(int64_t* count) { *count = -1; }

extern "C" void kernel_compact(const float*, float*, int64_t* count, int64_t, void* stream) {
  owe<<<1, 1, 0, (cudaStream_t)stream>>>(count);
}
