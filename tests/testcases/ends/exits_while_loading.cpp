// A static constructor that ends the process.
// task: vector_add
// expect: call load_error
#include <unistd.h>

#include <cstdint>

static const bool gone = (_exit(0), true);

extern "C" void kernel_vector_add(const float*, const float*, float* z, int64_t, void*) { z[0] = gone; }
