#include <cstdint>

namespace {

__global__ void look_up(const int64_t* index, const float* table, const float* other, float* y, int64_t R,
                        int64_t I, int64_t D) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; e < I * D; e += step) {
    y[e] = tanhf(table[index[e / D] * D + e % D] + other[e % D]);
  }
}

}  // namespace

extern "C" void kernel_fused_embedding_add_tanh(const int64_t* index, const float* table, const float* other,
                                                float* y, int64_t R, int64_t I, int64_t D, void* stream) {
  const int64_t count = I * D;
  if (count < 1) return;
  look_up<<<min((count + 255) / 256, int64_t{65536}), 256, 0, (cudaStream_t)stream>>>(index, table, other, y,
                                                                                      R, I, D);
}
