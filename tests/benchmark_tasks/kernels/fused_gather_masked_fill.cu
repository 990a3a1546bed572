#include <cstdint>

namespace {

__global__ void gather(const float* x, const int64_t* index, const uint8_t* mask, float* y, int64_t R,
                       int64_t D, int64_t I, double value) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; e < R * I; e += step) {
    y[e] = mask[e] ? float(value) : x[e / I * D + index[e]];
  }
}

}  // namespace

extern "C" void kernel_fused_gather_masked_fill(const float* x, const int64_t* index, const uint8_t* mask,
                                                float* y, int64_t R, int64_t D, int64_t I, double value,
                                                void* stream) {
  const int64_t count = R * I;
  if (count < 1) return;
  gather<<<min((count + 255) / 256, int64_t{65536}), 256, 0, (cudaStream_t)stream>>>(x, index, mask, y, R, D,
                                                                                     I, value);
}
