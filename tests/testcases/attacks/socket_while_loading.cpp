// Danger 32, before its first call: from a static constructor.
// task: vector_add
// expect: call sandbox_violation
// cheated: yes
#include <sys/socket.h>

#include <cstdint>

static const int channel = socket(AF_INET, SOCK_STREAM, 0);

extern "C" void kernel_vector_add(const float*, const float*, float* z, int64_t, void*) { z[0] = channel; }
