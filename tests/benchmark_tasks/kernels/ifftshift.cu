#include <cstdint>

namespace {

__global__ void shift(const float* x, float* y, int64_t M, int64_t N) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; e < M * N; e += step) {
    const int64_t i = e / N, j = e % N;
    y[e] = x[(i + M / 2) % M * N + (j + N / 2) % N];
  }
}

}  // namespace

extern "C" void kernel_ifftshift(const float* x, float* y, int64_t M, int64_t N, void* stream) {
  if (M * N < 1) return;
  const int64_t blocks = min((M * N + 255) / 256, int64_t{65536});
  shift<<<blocks, 256, 0, (cudaStream_t)stream>>>(x, y, M, N);
}
