#include <cmath>
#include <cstdint>

extern "C" void kernel_RMSProp(float* p, const float* g, float* v, int64_t N, double lr, double alpha,
                               double eps, double decay, void*) {
  const auto rate = static_cast<float>(lr), kept = static_cast<float>(alpha),
             fresh = static_cast<float>(1 - alpha);
  const auto least = static_cast<float>(eps), shrink = static_cast<float>(decay);
  for (int64_t i = 0; i < N; ++i) {
    const float h = g[i] + shrink * p[i];
    v[i] = kept * v[i] + fresh * h * h;
    p[i] -= rate * h / (std::sqrt(v[i]) + least);
  }
}
