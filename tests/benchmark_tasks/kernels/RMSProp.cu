#include <cstdint>

namespace {

__global__ void update(float* p, const float* g, float* v, int64_t N, float rate, float kept, float fresh,
                       float least, float shrink) {
  const int64_t block = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < N; i += block) {
    const float h = g[i] + shrink * p[i];
    v[i] = kept * v[i] + fresh * h * h;
    p[i] -= rate * h / (sqrtf(v[i]) + least);
  }
}

}  // namespace

extern "C" void kernel_RMSProp(float* p, const float* g, float* v, int64_t N, double lr, double alpha,
                               double eps, double decay, void* stream) {
  if (N < 1) return;
  const auto rate = static_cast<float>(lr), kept = static_cast<float>(alpha),
             fresh = static_cast<float>(1 - alpha);
  const auto least = static_cast<float>(eps), shrink = static_cast<float>(decay);
  const int64_t blocks = min((N + 255) / 256, int64_t{65536});
  update<<<blocks, 256, 0, (cudaStream_t)stream>>>(p, g, v, N, rate, kept, fresh, least, shrink);
}
