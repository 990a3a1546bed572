#include <cstdint>

namespace {

__global__ void conjunction(const int32_t* a, const int32_t* b, int32_t* y, int64_t N) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < N; i += step) y[i] = a[i] & b[i];
}

}  // namespace

extern "C" void kernel_bitwise_and(const int32_t* a, const int32_t* b, int32_t* y, int64_t N, void* stream) {
  if (N < 1) return;
  const int64_t blocks = min((N + 255) / 256, int64_t{65536});
  conjunction<<<blocks, 256, 0, (cudaStream_t)stream>>>(a, b, y, N);
}
