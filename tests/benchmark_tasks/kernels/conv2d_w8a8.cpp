#include <cmath>
#include <cstdint>
#include <vector>

namespace {

/// The scale of values whose largest magnitude this is.
float scale_of(float largest) {
  int exponent = 0;
  if (largest > 0) std::frexp(largest, &exponent);
  return std::fmax(std::ldexp(1.0f, exponent - 7), 0x1p-40f);
}

int8_t quantize(float value, float scale) {
  return static_cast<int8_t>(std::fmin(std::fmax(std::nearbyint(value / scale), -127.0f), 127.0f));
}

/// Quantizes `count` values that share a scale, which is returned.
float quantize_all(const float* values, int64_t count, int8_t* steps) {
  float largest = 0;
  for (int64_t i = 0; i < count; ++i) largest = std::fmax(largest, std::fabs(values[i]));
  const float scale = scale_of(largest);
  for (int64_t i = 0; i < count; ++i) steps[i] = quantize(values[i], scale);
  return scale;
}

}  // namespace

extern "C" void kernel_conv2d_w8a8(const float* x, const float* weight, const float* bias, float* y,
                                   int64_t B, int64_t C, int64_t H, int64_t W, int64_t O, int64_t R, int64_t,
                                   int64_t, int64_t stride, int64_t padding, void*) {
  const int64_t rows = (H + 2 * padding - R) / stride + 1, columns = (W + 2 * padding - R) / stride + 1;
  std::vector<int8_t> qx(B * C * H * W), taps(C * R * R);
  const float sx = quantize_all(x, B * C * H * W, qx.data());
  for (int64_t o = 0; o < O; ++o) {
    const float scale = quantize_all(weight + o * C * R * R, C * R * R, taps.data()) * sx;
    for (int64_t b = 0; b < B; ++b)
      for (int64_t p = 0; p < rows; ++p)
        for (int64_t q = 0; q < columns; ++q) {
          int32_t sum = 0;
          for (int64_t c = 0; c < C; ++c)
            for (int64_t r = 0; r < R; ++r)
              for (int64_t t = 0; t < R; ++t) {
                const int64_t h = p * stride - padding + r, w = q * stride - padding + t;
                if (h < 0 || h >= H || w < 0 || w >= W) continue;
                sum += taps[(c * R + r) * R + t] * qx[((b * C + c) * H + h) * W + w];
              }
          y[((b * O + o) * rows + p) * columns + q] = static_cast<float>(sum) * scale + bias[o];
        }
  }
}
