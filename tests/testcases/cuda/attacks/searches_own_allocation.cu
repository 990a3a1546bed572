// Danger 8 and 15: a large allocation of its own, not cleared, in search of what whoever had it before left there.
// task: vector_add
// expect: correctness wrong_values | call memory_limit | call crashed
#include <cstdint>

static __device__ const float* found;

static __global__ void search(const float* x, const float* y, const float* begin, int64_t count) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i + 8 <= count; i += step) {
    bool same = true;
    for (int e = 0; same && e < 8; ++e) same = begin[i + e] == x[e] + y[e];
    if (same) found = begin + i;
  }
}

static __global__ void copy(float* z, int64_t N, const float* end) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (found && found + N <= end && i < N) z[i] = found[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  float* own = nullptr;
  int64_t count = int64_t{8} << 30;  // 32 GB, or as much as it gets
  while (count > 1 << 20 && cudaMalloc(&own, count * sizeof(float)) != cudaSuccess) count /= 2;
  cudaGetLastError();
  search<<<1056, 256, 0, (cudaStream_t)stream>>>(x, y, own, count);
  copy<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(z, N, own + count);
  cudaFree(own);
}
