#include <cstdint>

namespace {

__global__ void select_and_compare(const float* x, const int64_t* index, const float* other, uint8_t* y,
                                   int64_t R, int64_t I, int64_t D) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; e < I * D; e += step) {
    y[e] = x[index[e / D] * D + e % D] == other[e];
  }
}

}  // namespace

extern "C" void kernel_fused_index_select_eq(const float* x, const int64_t* index, const float* other,
                                             uint8_t* y, int64_t R, int64_t I, int64_t D, void* stream) {
  const int64_t count = I * D;
  if (count < 1) return;
  select_and_compare<<<min((count + 255) / 256, int64_t{65536}), 256, 0, (cudaStream_t)stream>>>(
      x, index, other, y, R, I, D);
}
