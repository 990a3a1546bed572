// Scratch from a memory pool of its own, which keeps what is given back.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static cudaMemPool_t pool = nullptr;
  if (!pool) {
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    cudaGetDevice(&properties.location.id);
    cudaMemPoolCreate(&pool, &properties);
    uint64_t kept = UINT64_MAX;
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept);
  }
  float* copy = nullptr;
  cudaMallocFromPoolAsync(reinterpret_cast<void**>(&copy), N * sizeof(float), pool, (cudaStream_t)stream);
  cudaMemcpyAsync(copy, x, N * sizeof(float), cudaMemcpyDeviceToDevice, (cudaStream_t)stream);
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(copy, y, z, N);
  cudaFreeAsync(copy, (cudaStream_t)stream);
}
