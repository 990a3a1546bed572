#include <cstdint>

namespace {

__global__ void degrees_and_roots(const float* x, float* degrees, float* root, int64_t count) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    degrees[i] = x[i] * 57.2957795f;
    root[i] = sqrtf(x[i]);
  }
}

}  // namespace

extern "C" void kernel_rad2deg_sqrt(const float* x, float* degrees, float* root, int64_t M, int64_t N,
                                    void* stream) {
  if (M * N < 1) return;
  const int64_t blocks = min((M * N + 255) / 256, int64_t{65536});
  degrees_and_roots<<<blocks, 256, 0, (cudaStream_t)stream>>>(x, degrees, root, M * N);
}
