#include <cstdint>

namespace {

__device__ float gelu(float t) {
  return 0.5f * t * erfcf(-0.70710678f * t);
}

/// Takes the other element if it is less, or equal and further to the left.
__device__ void keep_lesser(float& value, int64_t& index, float other, int64_t other_index) {
  if (other < value || (other == value && other_index < index)) {
    value = other;
    index = other_index;
  }
}

// A warp a row.
__global__ void find_least(const float* x, float* y, int64_t* index, int64_t M, int64_t N) {
  const int lane = threadIdx.x % 32;
  const int64_t i = (int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (i >= M) return;
  const float* row = x + i * N;
  int64_t least = lane < N ? lane : 0;
  float value = gelu(row[least]);
  for (int64_t j = lane + 32; j < N; j += 32) keep_lesser(value, least, gelu(row[j]), j);
  for (int reach = 16; reach > 0; reach /= 2) {
    const float other = __shfl_xor_sync(0xFFFFFFFFu, value, reach);
    const int64_t other_index = __shfl_xor_sync(0xFFFFFFFFu, least, reach);
    keep_lesser(value, least, other, other_index);
  }
  if (lane == 0) {
    y[i] = value;
    index[i] = least;
  }
}

}  // namespace

extern "C" void kernel_fused_gelu_min(const float* x, float* y, int64_t* index, int64_t M, int64_t N,
                                      void* stream) {
  if (M < 1) return;
  find_least<<<(M * 32 + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, index, M, N);
}
