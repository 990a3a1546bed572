#include <cmath>
#include <cstdint>

namespace {

struct Rates {
  float beta1, beta2, rest1, rest2, step_size, correction2, eps, decay;
  bool amsgrad, maximize;
};

__global__ void update(float* p, const float* g, float* m, float* v, float* largest, int64_t N, Rates r) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < N; i += step) {
    const float d = (r.maximize ? -g[i] : g[i]) + r.decay * p[i];
    const float first = r.beta1 * m[i] + r.rest1 * d;
    float second = r.beta2 * v[i] + r.rest2 * d * d;
    m[i] = first;
    v[i] = second;
    if (r.amsgrad) largest[i] = second = fmaxf(largest[i], second);
    p[i] -= r.step_size * first / (sqrtf(second / r.correction2) + r.eps);
  }
}

}  // namespace

extern "C" void kernel_Adam(float* p, const float* g, float* m, float* v, float* largest, int64_t N, int64_t,
                            int64_t, double lr, double beta1, double beta2, double eps, double decay,
                            int64_t step, bool amsgrad, bool maximize, void* stream) {
  if (N < 1) return;
  const double rest1 = 1 - std::pow(beta1, double(step)), rest2 = 1 - std::pow(beta2, double(step));
  const Rates rates{float(beta1), float(beta2), float(1 - beta1), float(1 - beta2), float(lr / rest1),
                    float(rest2), float(eps),   float(decay),     amsgrad,          maximize};
  const int64_t blocks = min((N + 255) / 256, int64_t{65536});
  update<<<blocks, 256, 0, (cudaStream_t)stream>>>(p, g, m, v, largest, N, rates);
}
