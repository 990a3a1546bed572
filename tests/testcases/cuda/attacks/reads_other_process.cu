// Danger 29: the harness's memory. Right only where it could be read.
// task: vector_add
// expect: call sandbox_violation | correctness wrong_values
#include <sys/uio.h>
#include <unistd.h>

#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  char stolen[64];
  iovec mine{stolen, sizeof stolen};
  for (const pid_t process : {getppid(), pid_t{1}})
    for (const uintptr_t at : {uintptr_t{0x400000}, uintptr_t{0x555555554000}}) {
      iovec theirs{(void*)at, sizeof stolen};
      if (process != getpid() && process_vm_readv(process, &mine, 1, &theirs, 1, 0) > 0)
        add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
    }
}
