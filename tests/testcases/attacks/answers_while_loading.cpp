// A static constructor answers the load in the runner's place, and so runs on without the second lockdown.
// task: vector_add
// expect: call sandbox_violation
// cheated: yes
// with: reply.inc
#include <unistd.h>

#include <cstdint>

static const int answered = [] {
  static Reply reply;
  reply.sequence = 13;  // the load comes after twelve empty batches
  if (write(3, &reply, sizeof reply) < 0) _exit(1);
  char packet[65536];
  while (read(3, packet, sizeof packet) > 0) {
  }
  _exit(0);
  return 0;
}();

extern "C" void kernel_vector_add(const float*, const float*, float* z, int64_t, void*) {
  z[0] = static_cast<float>(answered);
}
