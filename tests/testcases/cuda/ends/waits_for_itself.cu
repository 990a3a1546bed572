// Waits on the host for a value that only its own next kernel would write.
// task: vector_add
// expect: call timed_out
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static __global__ void wait_for(const volatile int* flag) {
  while (*flag == 0) {
  }
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  int* flag;
  cudaMallocHost(&flag, sizeof *flag);
  *flag = 0;
  wait_for<<<1, 1, 0, (cudaStream_t)stream>>>(flag);
  cudaStreamSynchronize((cudaStream_t)stream);
  *flag = 1;
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
