// A barrier over more blocks than the device holds: those that wait keep out those they wait for.
// task: vector_add
// expect: call timed_out
// cheated: no
#include <cstdint>

static __device__ unsigned arrived;

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  if (threadIdx.x == 0) {
    atomicAdd(&arrived, 1);
    while (*(volatile unsigned*)&arrived < gridDim.x) {
    }
  }
  __syncthreads();
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < N; i += step) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<100'000, 1024, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
