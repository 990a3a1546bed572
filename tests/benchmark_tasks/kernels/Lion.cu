#include <cstdint>

namespace {

__global__ void update(float* p, const float* g, float* m, int64_t N, float rate, float kept, float b1,
                       float rest1, float b2, float rest2) {
  const int64_t block = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < N; i += block) {
    const float mixed = b1 * m[i] + rest1 * g[i];
    const float sign = static_cast<float>(mixed > 0) - static_cast<float>(mixed < 0);
    p[i] = kept * p[i] - rate * sign;
    m[i] = b2 * m[i] + rest2 * g[i];
  }
}

}  // namespace

extern "C" void kernel_Lion(float* p, const float* g, float* m, int64_t N, double lr, double beta1,
                            double beta2, double decay, void* stream) {
  if (N < 1) return;
  const auto rate = static_cast<float>(lr), kept = static_cast<float>(1 - lr * decay);
  const auto b1 = static_cast<float>(beta1), rest1 = static_cast<float>(1 - beta1);
  const auto b2 = static_cast<float>(beta2), rest2 = static_cast<float>(1 - beta2);
  const int64_t blocks = min((N + 255) / 256, int64_t{65536});
  update<<<blocks, 256, 0, (cudaStream_t)stream>>>(p, g, m, N, rate, kept, b1, rest1, b2, rest2);
}
