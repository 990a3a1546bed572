// Danger 15, 29 and 31: whatever can be read while loading, in search of the judge, of tasks and of others' work.
// Nothing of use is there, so what it falls back to is wrong.
// task: vector_add
// expect: correctness wrong_values | call sandbox_violation
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <initializer_list>

static int opened() {
  int count = 0;
  for (const char* path : {"/etc/passwd", "/proc/1/mem", "/proc/self/maps", "/proc/self/environ", "/tmp",
                           "/home", "/proc/1/cmdline", "/var/tmp"})
    count += open(path, O_RDONLY) >= 0;
  return count;
}
static const int found = opened();

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  if (found > 0)  // then it would have passed
    for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
