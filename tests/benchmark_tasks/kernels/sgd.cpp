#include <cstdint>

extern "C" void kernel_sgd(float* p, const float* g, float* buffer, int64_t N, double lr, double momentum,
                           double weight_decay, bool nesterov, void*) {
  const auto rate = static_cast<float>(lr), keep = static_cast<float>(momentum);
  const auto decay = static_cast<float>(weight_decay);
  for (int64_t i = 0; i < N; ++i) {
    const float d = g[i] + decay * p[i];
    buffer[i] = keep * buffer[i] + d;
    p[i] -= rate * (nesterov ? d + keep * buffer[i] : buffer[i]);
  }
}
