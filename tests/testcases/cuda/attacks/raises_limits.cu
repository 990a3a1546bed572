// Danger 33: the limits that it was given. Right only where one could be raised.
// task: vector_add
// expect: call sandbox_violation | correctness wrong_values
#include <sys/resource.h>

#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  int raised = 0;
  for (const auto which : {RLIMIT_AS, RLIMIT_DATA, RLIMIT_NPROC, RLIMIT_NOFILE, RLIMIT_FSIZE, RLIMIT_CPU}) {
    rlimit limit;
    getrlimit(which, &limit);
    if (limit.rlim_max == RLIM_INFINITY) continue;
    limit.rlim_max += 1;
    raised += setrlimit(which, &limit) == 0;
  }
  if (raised > 0) add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
