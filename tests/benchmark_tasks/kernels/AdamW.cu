#include <cstdint>

namespace {

__global__ void update(float* p, const float* g, float* m, float* v, int64_t N, float b1, float b2,
                       float rest1, float rest2, float step_size, float correction2, float kept,
                       float least) {
  const int64_t block = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < N; i += block) {
    m[i] = b1 * m[i] + rest1 * g[i];
    v[i] = b2 * v[i] + rest2 * g[i] * g[i];
    p[i] = kept * p[i] - step_size * m[i] / (sqrtf(v[i] / correction2) + least);
  }
}

}  // namespace

extern "C" void kernel_AdamW(float* p, const float* g, float* m, float* v, int64_t N, double lr, double beta1,
                             double beta2, double eps, double decay, int64_t step, void* stream) {
  if (N < 1) return;
  const auto b1 = static_cast<float>(beta1), b2 = static_cast<float>(beta2);
  const auto rest1 = static_cast<float>(1 - beta1), rest2 = static_cast<float>(1 - beta2);
  const auto step_size = static_cast<float>(lr / (1 - pow(beta1, static_cast<double>(step))));
  const auto correction2 = static_cast<float>(1 - pow(beta2, static_cast<double>(step)));
  const auto kept = static_cast<float>(1 - lr * decay), least = static_cast<float>(eps);
  const int64_t blocks = min((N + 255) / 256, int64_t{65536});
  update<<<blocks, 256, 0, (cudaStream_t)stream>>>(p, g, m, v, N, b1, b2, rest1, rest2, step_size,
                                                   correction2, kept, least);
}
