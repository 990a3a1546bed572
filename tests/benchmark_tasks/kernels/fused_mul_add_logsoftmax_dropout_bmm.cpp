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

extern "C" void kernel_fused_mul_add_logsoftmax_dropout_bmm(const float* x, const float* w,
                                                            const float* other, const float* m,
                                                            const int64_t* seed, uint8_t* mask, float* y,
                                                            int64_t B, int64_t M, int64_t N, int64_t K,
                                                            double p, void*) {
  const Dropout dropout(seed[0], p);
  std::vector<float> scores(K);
  for (int64_t row = 0; row < B * M; ++row) {
    const float* matrix = m + row / M * K * N;
    float largest = -INFINITY, sum = 0;
    for (int64_t k = 0; k < K; ++k) {
      const int64_t e = row * K + k;
      scores[k] = x[e] * w[e] + other[e];
      largest = std::fmax(largest, scores[k]);
    }
    for (int64_t k = 0; k < K; ++k) sum += std::exp(scores[k] - largest);
    const float logarithm = std::log(sum);
    for (int64_t j = 0; j < N; ++j) y[row * N + j] = 0;
    for (int64_t k = 0; k < K; ++k) {
      const int64_t e = row * K + k;
      mask[e] = dropout.keeps(e);
      const float d = mask[e] != 0 ? (scores[k] - largest - logarithm) * dropout.scale : 0;
      for (int64_t j = 0; j < N; ++j) y[row * N + j] += d * matrix[k * N + j];
    }
  }
}
