#include <cstdint>

namespace {

// Where a number repeats, threads write the same value to the same place.
__global__ void fill(float* x, const int64_t* index, int64_t A, int64_t R, int64_t D, int64_t I,
                     float value) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; e < A * I * D; e += step)
    x[(e / (I * D) * R + index[e / D % I]) * D + e % D] = value;
}

}  // namespace

extern "C" void kernel_index_fill_(float* x, const int64_t* index, int64_t A, int64_t R, int64_t D, int64_t I,
                                   double value, void* stream) {
  if (A * I * D < 1) return;
  const int64_t blocks = min((A * I * D + 255) / 256, int64_t{65536});
  fill<<<blocks, 256, 0, (cudaStream_t)stream>>>(x, index, A, R, D, I, float(value));
}
