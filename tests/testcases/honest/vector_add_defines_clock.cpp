// Danger 23, timing functions replaced: the judge's clock lies in another process, so this changes nothing.
// task: vector_add
// expect: passed
#include <cstdint>
#include <ctime>

extern "C" int clock_gettime(clockid_t, timespec* now) noexcept {
  *now = {1, 1};
  return 0;
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
