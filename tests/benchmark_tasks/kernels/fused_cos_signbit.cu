#include <cstdint>

namespace {

__global__ void cosines_and_signs(const float* x, float* y, uint8_t* negative, int64_t count) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    y[i] = cosf(x[i]);
    negative[i] = signbit(y[i]) != 0;
  }
}

}  // namespace

extern "C" void kernel_fused_cos_signbit(const float* x, float* y, uint8_t* negative, int64_t N,
                                         void* stream) {
  if (N < 1) return;
  const int64_t blocks = min((N + 255) / 256, int64_t{65536});
  cosines_and_signs<<<blocks, 256, 0, (cudaStream_t)stream>>>(x, y, negative, N);
}
