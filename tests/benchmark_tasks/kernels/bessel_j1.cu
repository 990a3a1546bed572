#include <cstdint>

namespace {

__global__ void bessel(const float* x, float* y, int64_t count) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    y[i] = float(j1(double(x[i])));
}

}  // namespace

extern "C" void kernel_bessel_j1(const float* x, float* y, int64_t N, void* stream) {
  if (N < 1) return;
  const int64_t blocks = min((N + 255) / 256, int64_t{65536});
  bessel<<<blocks, 256, 0, (cudaStream_t)stream>>>(x, y, N);
}
