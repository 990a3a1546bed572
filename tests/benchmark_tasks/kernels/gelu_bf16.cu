#include <cuda_bf16.h>

#include <cstdint>

namespace {

__global__ void gelu(const __nv_bfloat16* x, __nv_bfloat16* y, int64_t count) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    const float t = __bfloat162float(x[i]);
    y[i] = __float2bfloat16_rn(0.5f * t * erfcf(-0.70710678f * t));
  }
}

}  // namespace

extern "C" void kernel_gelu_bf16(const __nv_bfloat16* x, __nv_bfloat16* y, int64_t M, int64_t N,
                                 void* stream) {
  if (M * N < 1) return;
  const int64_t blocks = min((M * N + 255) / 256, int64_t{65536});
  gelu<<<blocks, 256, 0, (cudaStream_t)stream>>>(x, y, M * N);
}
