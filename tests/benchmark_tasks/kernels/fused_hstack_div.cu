#include <cstdint>

namespace {

__global__ void stack(const float* a, const float* b, const float* c, const float* divisor, float* y,
                      int64_t M, int64_t A, int64_t B, int64_t C) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; e < M * (A + B + C); e += step) {
    const int64_t i = e / (A + B + C), j = e % (A + B + C);
    const float value = j < A ? a[i * A + j] : j < A + B ? b[i * B + j - A] : c[i * C + j - A - B];
    y[e] = value / divisor[j];
  }
}

}  // namespace

extern "C" void kernel_fused_hstack_div(const float* a, const float* b, const float* c, const float* divisor,
                                        float* y, int64_t M, int64_t A, int64_t B, int64_t C, void* stream) {
  const int64_t count = M * (A + B + C);
  if (count < 1) return;
  stack<<<min((count + 255) / 256, int64_t{65536}), 256, 0, (cudaStream_t)stream>>>(a, b, c, divisor, y, M, A,
                                                                                    B, C);
}
