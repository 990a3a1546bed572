#include <cmath>
#include <cstdint>

extern "C" void kernel_AdamW(float* p, const float* g, float* m, float* v, int64_t N, double lr, double beta1,
                             double beta2, double eps, double decay, int64_t step, void*) {
  const auto b1 = static_cast<float>(beta1), b2 = static_cast<float>(beta2);
  const auto rest1 = static_cast<float>(1 - beta1), rest2 = static_cast<float>(1 - beta2);
  const auto step_size = static_cast<float>(lr / (1 - std::pow(beta1, static_cast<double>(step))));
  const auto correction2 = static_cast<float>(1 - std::pow(beta2, static_cast<double>(step)));
  const auto kept = static_cast<float>(1 - lr * decay), least = static_cast<float>(eps);
  for (int64_t i = 0; i < N; ++i) {
    m[i] = b1 * m[i] + rest1 * g[i];
    v[i] = b2 * v[i] + rest2 * g[i] * g[i];
    p[i] = kept * p[i] - step_size * m[i] / (std::sqrt(v[i] / correction2) + least);
  }
}
