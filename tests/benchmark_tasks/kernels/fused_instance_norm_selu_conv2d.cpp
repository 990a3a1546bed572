#include <cmath>
#include <cstdint>

namespace {

/// A convolution's shape, and one element of its result.
struct Convolution {
  int64_t C, H, W, O, R, stride, padding;

  int64_t extent(int64_t of) const { return (of + 2 * padding - R) / stride + 1; }

  float at(const float* x, const float* weight, const float* bias, int64_t b, int64_t o, int64_t p,
           int64_t q) const {
    float sum = bias[o];
    for (int64_t c = 0; c < C; ++c)
      for (int64_t r = 0; r < R; ++r)
        for (int64_t s = 0; s < R; ++s) {
          const int64_t h = p * stride - padding + r, w = q * stride - padding + s;
          if (h < 0 || h >= H || w < 0 || w >= W) continue;
          sum += weight[((o * C + c) * R + r) * R + s] * x[((b * C + c) * H + h) * W + w];
        }
    return sum;
  }
};

}  // namespace

extern "C" void kernel_fused_instance_norm_selu_conv2d(const float* x, const float* weight, const float* bias,
                                                       float* y, int64_t B, int64_t C, int64_t H, int64_t W,
                                                       int64_t O, int64_t R, int64_t, int64_t, int64_t stride,
                                                       int64_t padding, double eps, void*) {
  const Convolution z{C, H, W, O, R, stride, padding};
  const int64_t rows = z.extent(H), columns = z.extent(W);

  const int64_t count = rows * columns;
  for (int64_t plane = 0; plane < B * O; ++plane, y += count) {
    double sum = 0, squares = 0;
    for (int64_t e = 0; e < count; ++e) {
      const float value = z.at(x, weight, bias, plane / O, plane % O, e / columns, e % columns);
      y[e] = 1.05070099f * (value > 0 ? value : 1.67326324f * std::expm1(value));
      sum += y[e];
    }
    const double mean = sum / static_cast<double>(count);
    for (int64_t e = 0; e < count; ++e) squares += (y[e] - mean) * (y[e] - mean);
    const double inverse = 1 / std::sqrt(squares / static_cast<double>(count) + eps);
    for (int64_t e = 0; e < count; ++e) y[e] = static_cast<float>((y[e] - mean) * inverse);
  }
}
