#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

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

extern "C" void kernel_fused_transformer_block(const float* x, const float* w1, const float* w2,
                                               const float* residual, const int64_t* seed, uint8_t* mask,
                                               float* y, int64_t B, int64_t S, int64_t D, int64_t K,
                                               int64_t N, double p, double eps, void*) {
  const Dropout dropout(seed[0], p);
  std::vector<float> weights(K);
  for (int64_t row = 0; row < B * S; ++row) {
    std::fill(weights.begin(), weights.end(), 0.0f);
    for (int64_t d = 0; d < D; ++d)
      for (int64_t k = 0; k < K; ++k) weights[k] += x[row * D + d] * w1[d * K + k];
    const float largest = *std::max_element(weights.begin(), weights.end());
    float sum = 0;
    for (auto& weight : weights) sum += weight = std::exp(weight - largest);
    float* z = y + row * N;
    for (int64_t j = 0; j < N; ++j) z[j] = residual[row * N + j];
    for (int64_t k = 0; k < K; ++k) {
      mask[row * K + k] = dropout.keeps(row * K + k);
      if (mask[row * K + k] == 0) continue;
      const float weight = weights[k] / sum * dropout.scale;
      for (int64_t j = 0; j < N; ++j) z[j] += weight * w2[k * N + j];
    }
    float total = 0, squares = 0;
    for (int64_t j = 0; j < N; ++j) total += z[j];
    const float mean = total / static_cast<float>(N);
    for (int64_t j = 0; j < N; ++j) squares += (z[j] - mean) * (z[j] - mean);
    const float inverse = 1 / std::sqrt(squares / static_cast<float>(N) + static_cast<float>(eps));
    for (int64_t j = 0; j < N; ++j) z[j] = (z[j] - mean) * inverse;
  }
}
