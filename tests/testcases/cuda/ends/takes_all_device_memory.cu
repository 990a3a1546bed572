// Danger 33: all of the device's memory, kept. It fits only the judge who held back what he needs.
// task: vector_add
// expect: passed | call memory_limit | call crashed
// at most: 1.2 honest/vector_add.cu
#include <cstddef>
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static bool taken = false;
  void* memory;
  for (size_t bytes = size_t{1} << 36; !taken && bytes >= 1 << 20; bytes /= 2)
    while (cudaMalloc(&memory, bytes) == cudaSuccess) {
    }
  taken = true;
  cudaGetLastError();
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
