#include <cmath>
#include <cstdint>

namespace {

struct Rates {
  float lr, beta1, beta2, rest1, rest2, correction1, correction2, eps;
};

__global__ void update(float* p, const float* g, float* m, float* v, int64_t N, Rates r) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < N; i += step) {
    const float gradient = g[i];
    const float first = r.beta1 * m[i] + r.rest1 * gradient;
    const float second = r.beta2 * v[i] + r.rest2 * gradient * gradient;
    m[i] = first;
    v[i] = second;
    p[i] -= r.lr * (first / r.correction1) / (sqrtf(second / r.correction2) + r.eps);
  }
}

}  // namespace

extern "C" void kernel_adam(float* p, const float* g, float* m, float* v, int64_t N, double lr, double beta1,
                            double beta2, double eps, int64_t step, void* stream) {
  if (N < 1) return;
  const double power1 = std::pow(beta1, double(step)), power2 = std::pow(beta2, double(step));
  const Rates rates{float(lr),        float(beta1),      float(beta2),      float(1 - beta1),
                    float(1 - beta2), float(1 - power1), float(1 - power2), float(eps)};
  const int64_t blocks = min((N + 255) / 256, int64_t{65536});
  update<<<blocks, 256, 0, (cudaStream_t)stream>>>(p, g, m, v, N, rates);
}
