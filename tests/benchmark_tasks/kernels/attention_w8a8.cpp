#include <cmath>
#include <cstdint>
#include <vector>

namespace {

/// The scale of K numbers, `step` apart, and their integers in the same places of `out`.
float quantize(const float* values, int8_t* out, int64_t K, int64_t step) {
  float largest = 0;
  for (int64_t k = 0; k < K; ++k) largest = std::fmax(largest, std::fabs(values[k * step]));
  int exponent = 0;
  if (largest > 0) std::frexp(largest, &exponent);
  const float scale = std::fmax(std::ldexp(1.0f, exponent - 7), 0x1p-40f);
  for (int64_t k = 0; k < K; ++k)
    out[k * step] =
        static_cast<int8_t>(std::fmin(std::fmax(std::nearbyint(values[k * step] / scale), -127.0f), 127.0f));
  return scale;
}

}  // namespace

extern "C" void kernel_attention_w8a8(const float* q, const float* k, const float* v, float* o, int64_t B,
                                      int64_t S, int64_t T, int64_t D, double factor, void*) {
  std::vector<int8_t> query(D), keys(T * D), values(T * D);
  std::vector<float> key_scales(T), value_scales(D), weights(T);
  std::vector<int32_t> steps(T);
  for (int64_t b = 0; b < B; ++b, k += T * D, v += T * D) {
    for (int64_t j = 0; j < T; ++j) key_scales[j] = quantize(k + j * D, &keys[j * D], D, 1);
    for (int64_t d = 0; d < D; ++d) value_scales[d] = quantize(v + d, &values[d], T, D);
    for (int64_t i = 0; i < S; ++i, q += D, o += D) {
      const float scale = quantize(q, query.data(), D, 1);
      float largest = -INFINITY, sum = 0;
      for (int64_t j = 0; j < T; ++j) {
        int32_t dot = 0;
        for (int64_t d = 0; d < D; ++d) dot += query[d] * keys[j * D + d];
        weights[j] = static_cast<float>(dot) * scale * key_scales[j] * static_cast<float>(factor);
        largest = std::fmax(largest, weights[j]);
      }
      for (int64_t j = 0; j < T; ++j) {
        const float weight = std::exp(weights[j] - largest);
        sum += weight;
        steps[j] = static_cast<int32_t>(std::nearbyint(127 * weight));
      }
      for (int64_t d = 0; d < D; ++d) {
        int32_t total = 0;
        for (int64_t j = 0; j < T; ++j) total += steps[j] * values[j * D + d];
        o[d] = static_cast<float>(total) * value_scales[d] / (127 * sum);
      }
    }
  }
}
