#include <cmath>
#include <cstdint>

extern "C" void kernel_Adam(float* p, const float* g, float* m, float* v, float* largest, int64_t N, int64_t,
                            int64_t, double lr, double beta1, double beta2, double eps, double decay,
                            int64_t step, bool amsgrad, bool maximize, void*) {
  const auto b1 = static_cast<float>(beta1), b2 = static_cast<float>(beta2);
  const auto rest1 = static_cast<float>(1 - beta1), rest2 = static_cast<float>(1 - beta2);
  const auto step_size = static_cast<float>(lr / (1 - std::pow(beta1, static_cast<double>(step))));
  const auto correction2 = static_cast<float>(1 - std::pow(beta2, static_cast<double>(step)));
  const auto shrink = static_cast<float>(decay), least = static_cast<float>(eps);
  for (int64_t i = 0; i < N; ++i) {
    const float d = (maximize ? -g[i] : g[i]) + shrink * p[i];
    m[i] = b1 * m[i] + rest1 * d;
    v[i] = b2 * v[i] + rest2 * d * d;
    if (amsgrad) largest[i] = std::fmax(largest[i], v[i]);
    p[i] -= step_size * m[i] / (std::sqrt((amsgrad ? largest[i] : v[i]) / correction2) + least);
  }
}
