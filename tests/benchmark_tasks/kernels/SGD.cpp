#include <cstdint>

extern "C" void kernel_SGD(float* p, const float* g, float* buffer, int64_t N, int64_t, int64_t, double lr,
                           double momentum, double dampening, double weight_decay, bool nesterov, void*) {
  const auto rate = static_cast<float>(lr), keep = static_cast<float>(momentum);
  const auto share = static_cast<float>(1 - dampening), decay = static_cast<float>(weight_decay);
  for (int64_t i = 0; i < N; ++i) {
    float d = g[i] + decay * p[i];
    if (momentum != 0) {
      buffer[i] = keep * buffer[i] + share * d;
      d = nesterov ? d + keep * buffer[i] : buffer[i];
    }
    p[i] -= rate * d;
  }
}
