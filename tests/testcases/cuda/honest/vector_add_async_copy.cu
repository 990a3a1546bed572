// Asynchronous copies to shared memory, waited for.
// task: vector_add
// expect: passed
// cheated: no
#include <cuda_pipeline.h>

#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  __shared__ float left[256], right[256];
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= N) return;  // each thread reads what it copied itself
  __pipeline_memcpy_async(left + threadIdx.x, x + i, sizeof(float));
  __pipeline_memcpy_async(right + threadIdx.x, y + i, sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  z[i] = left[threadIdx.x] + right[threadIdx.x];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
