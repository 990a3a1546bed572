// Danger 4 and 7: the same, counted and decided on the device: the host sees the same launches in every call.
// task: vector_add
// expect: timing wrong_when_timed
// cheated: yes
#include <cstdint>

static __device__ unsigned calls;

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (calls > 64 && blockIdx.x % 4 != 0) return;
  if (i < N) z[i] = x[i] + y[i];
}

static __global__ void count() { ++calls; }

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
  if (N > 1 << 20) count<<<1, 1, 0, (cudaStream_t)stream>>>();
}
