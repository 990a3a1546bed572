// One launch, and a filling of scratch memory beside it: a call that is more than its launch.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  constexpr size_t bytes = size_t{256} << 20;
  static void* scratch = nullptr;
  if (!scratch) cudaMalloc(&scratch, bytes);
  cudaMemsetAsync(scratch, 0, bytes, (cudaStream_t)stream);
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
