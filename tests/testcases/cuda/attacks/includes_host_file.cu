// Danger 30: a file of the host's, read while it is built. Right only where it was there.
// task: vector_add
// expect: build compile_error | correctness wrong_values
#include <cstdint>

#if __has_include("/root/.profile")
asm(".section .rodata\n"
    "stolen: .incbin \"/root/.profile\"\n"
    "stolen_end: .byte 0\n"
    ".text");
extern "C" const char stolen[], stolen_end[];
#else
static const char stolen[1] = {}, *stolen_end = stolen;
#endif

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  if (stolen_end - stolen > 0) add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
