#include <cmath>
#include <cstdint>

extern "C" void kernel_Lion(float* p, const float* g, float* m, int64_t N, double lr, double beta1,
                            double beta2, double decay, void*) {
  const auto rate = static_cast<float>(lr), kept = static_cast<float>(1 - lr * decay);
  const auto b1 = static_cast<float>(beta1), rest1 = static_cast<float>(1 - beta1);
  const auto b2 = static_cast<float>(beta2), rest2 = static_cast<float>(1 - beta2);
  for (int64_t i = 0; i < N; ++i) {
    const float mixed = b1 * m[i] + rest1 * g[i];
    const float sign = static_cast<float>(mixed > 0) - static_cast<float>(mixed < 0);
    p[i] = kept * p[i] - rate * sign;
    m[i] = b2 * m[i] + rest2 * g[i];
  }
}
