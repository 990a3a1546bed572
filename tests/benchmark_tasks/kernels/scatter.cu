#include <cstdint>

namespace {

__global__ void copy(const float* x, float* y, int64_t N) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < N; i += step) y[i] = x[i];
}

__global__ void replace(const int64_t* index, const float* src, float* y, int64_t R, int64_t D, int64_t I) {
  for (int64_t r = blockIdx.x; r < R; r += gridDim.x)
    for (int64_t j = threadIdx.x; j < I; j += blockDim.x) y[r * D + index[r * D + j]] = src[r * I + j];
}

}  // namespace

extern "C" void kernel_scatter(const float* x, const int64_t* index, const float* src, float* y, int64_t R,
                               int64_t D, int64_t I, void* stream) {
  if (R * D < 1) return;
  const int64_t blocks = min((R * D + 255) / 256, int64_t{65536});
  copy<<<blocks, 256, 0, (cudaStream_t)stream>>>(x, y, R * D);
  const int64_t rows = min(R, int64_t{65536});
  replace<<<rows, 256, 0, (cudaStream_t)stream>>>(index, src, y, R, D, I);
}
