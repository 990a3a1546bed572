// Danger 23, timing functions replaced: the judge's clock lies in another process, so this changes nothing.
// task: vector_add
// expect: passed
// at most: 1.2 honest/vector_add.cu
#include <sys/time.h>

#include <cstdint>
#include <ctime>

extern "C" int clock_gettime(clockid_t, timespec* now) noexcept {
  *now = {1, 1};
  return 0;
}
extern "C" int gettimeofday(timeval* now, void*) noexcept {
  *now = {1, 1};
  return 0;
}

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
