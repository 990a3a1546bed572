#include <cmath>
#include <cstdint>

namespace {

/// SplitMix64 as a function of a counter (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014).
uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// The dropout of one call: keeps element e with probability 1 - p.
struct Dropout {
  Dropout(int64_t seed, double p)
      : key(mix(static_cast<uint64_t>(seed) + 0x9E3779B97F4A7C15u)),
        p(p),
        scale(static_cast<float>(1 / (1 - p))) {}

  bool keeps(int64_t e) const {
    const uint64_t bits = mix(key + static_cast<uint64_t>(e + 1) * 0x9E3779B97F4A7C15u);
    return static_cast<double>(bits >> 11) * 0x1p-53 >= p;
  }

  uint64_t key;
  double p;
  float scale;  // of what is kept
};

}  // namespace

extern "C" void kernel_fused_dropout_sigmoid_linear(const float* x, const float* weight, const float* bias,
                                                    const int64_t* seed, uint8_t* mask, float* y, int64_t M,
                                                    int64_t N, int64_t K, double p, void*) {
  const Dropout dropout(seed[0], p);
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) {
      const int64_t e = i * N + j;
      float z = bias[j];
      for (int64_t k = 0; k < K; ++k) z += x[i * K + k] * weight[j * K + k];
      mask[e] = dropout.keeps(e);
      y[e] = mask[e] != 0 ? dropout.scale / (1 + std::exp(-z)) : 0;
    }
}
