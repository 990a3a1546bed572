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

extern "C" void kernel_fused_relu_max_pool2d_conv2d(const float* x, const float* weight, const float* bias,
                                                    float* y, int64_t B, int64_t C, int64_t H, int64_t W,
                                                    int64_t O, int64_t R, int64_t, int64_t, int64_t K,
                                                    int64_t stride, int64_t padding, int64_t window, void*) {
  const Convolution z{C, H, W, O, R, stride, padding};
  const int64_t rows = z.extent(H), columns = z.extent(W);

  for (int64_t b = 0; b < B; ++b)
    for (int64_t o = 0; o < O; ++o)
      for (int64_t p = 0; p < rows / window; ++p)
        for (int64_t q = 0; q < columns / window; ++q) {
          float largest = 0;
          for (int64_t r = 0; r < window; ++r)
            for (int64_t s = 0; s < window; ++s)
              largest = std::fmax(largest, z.at(x, weight, bias, b, o, p * window + r, q * window + s));
          y[((b * O + o) * (rows / window) + p) * (columns / window) + q] = largest;
        }
}
