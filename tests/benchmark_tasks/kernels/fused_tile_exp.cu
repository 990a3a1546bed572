#include <cstdint>

namespace {

__global__ void tile(const float* x, float* y, int64_t T, int64_t M, int64_t N, int64_t) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; e < M * N; e += step) {
    const float value = expf(x[e]);
    for (int64_t t = 0; t < T; ++t) y[t * M * N + e] = value;
  }
}

}  // namespace

extern "C" void kernel_fused_tile_exp(const float* x, float* y, int64_t T, int64_t M, int64_t N, int64_t,
                                      void* stream) {
  const int64_t count = M * N;
  if (count < 1) return;
  tile<<<min((count + 255) / 256, int64_t{65536}), 256, 0, (cudaStream_t)stream>>>(x, y, T, M, N, T);
}
