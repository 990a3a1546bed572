#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

extern "C" void kernel_attention(const float* q, const float* k, const float* v, float* o, int64_t B,
                                 int64_t S, int64_t T, int64_t D, double scale, void*) {
  std::vector<float> weights(T);
  for (int64_t b = 0; b < B; ++b)
    for (int64_t i = 0; i < S; ++i) {
      for (int64_t j = 0; j < T; ++j) {
        float dot = 0;
        for (int64_t d = 0; d < D; ++d) dot += q[(b * S + i) * D + d] * k[(b * T + j) * D + d];
        weights[j] = dot * static_cast<float>(scale);
      }
      const float largest = *std::max_element(weights.begin(), weights.end());
      float sum = 0;
      for (auto& weight : weights) sum += weight = std::exp(weight - largest);
      for (int64_t d = 0; d < D; ++d) {
        float total = 0;
        for (int64_t j = 0; j < T; ++j) total += weights[j] * v[(b * T + j) * D + d];
        o[(b * S + i) * D + d] = total / sum;
      }
    }
}
