// A count that would lead a trusting judge far out of the buffer.
// task: compact
// expect: correctness wrong_count
// cheated: no
#include <cstdint>

static __global__ void boast(int64_t* count) { *count = int64_t{1} << 60; }

extern "C" void kernel_compact(const float*, float*, int64_t* count, int64_t, void* stream) {
  boast<<<1, 1, 0, (cudaStream_t)stream>>>(count);
}
