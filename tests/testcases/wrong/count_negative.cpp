// A negative count.
// task: compact
// expect: correctness wrong_count
// cheated: no
#include <cstdint>

extern "C" void kernel_compact(const float*, float*, int64_t* count, int64_t, void*) { *count = -1; }
