#include <cstdint>

namespace {

__global__ void signs_and_bits(const float* x, const int8_t* mask, uint8_t* negative, int8_t* y,
                               int64_t count) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    negative[i] = signbit(x[i]) != 0;
    y[i] = int8_t(int8_t(x[i]) & mask[i]);
  }
}

}  // namespace

extern "C" void kernel_signbit_bitwise_and(const float* x, const int8_t* mask, uint8_t* negative, int8_t* y,
                                           int64_t N, void* stream) {
  if (N < 1) return;
  const int64_t blocks = min((N + 255) / 256, int64_t{65536});
  signs_and_bits<<<blocks, 256, 0, (cudaStream_t)stream>>>(x, mask, negative, y, N);
}
