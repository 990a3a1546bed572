// The packets of a crash report, again and again, so that the judge never gets to its clock.
// task: vector_add
// expect: call sandbox_violation
// cheated: yes
#include <unistd.h>

#include <cstdint>

extern "C" void kernel_vector_add(const float*, const float*, float*, int64_t, void*) {
  static uint32_t report[1256 / 4] = {7};
  while (write(3, report, sizeof report) > 0) {
  }
}
