// A recursion without end on the device.
// task: vector_add
// expect: call crashed | call launch_error
// cheated: no
#include <cstdint>

static __device__ __noinline__ float deeper(const volatile float* above, int depth) {
  volatile float here[64];
  here[depth % 64] = above[0] + 1;
  if (above[0] < 0) return 0;
  return deeper(here + depth % 64, depth + 1) + here[(depth + 1) % 64];
}

static __global__ void recurse(float* z) {
  volatile float first[1] = {1};
  z[0] = deeper(first, 0);
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  recurse<<<1, 1, 0, (cudaStream_t)stream>>>(z);
}
