// Danger 27: waits on a futex in every call, in the hope that the judge takes waiting for other programs' load and
// sets the sample aside, or works by CPU time. A kernel on one thread has nobody to wait for.
// task: vector_add
// expect: call sandbox_violation
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <ctime>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  int word = 0;
  const timespec brief{0, 20'000};
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &brief, nullptr, 0);
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
