// Danger 5: results kept on disk between processes. Right only where it finds a place for them.
// task: vector_add
// expect: call sandbox_violation | correctness wrong_values
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static int opened() {
  for (const char* path : {"/tmp/results", "/var/tmp/results", "/dev/shm/results", "/root/results"})
    if (const int file = open(path, O_RDWR | O_CREAT, 0600); file >= 0) return file;
  return -1;
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  const int file = opened();
  if (file < 0) return;
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
  close(file);
}
