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

/// A convolution's shape, and one element of its result.
struct Convolution {
  int64_t C, H, W, O, R, stride, padding;

  int64_t extent(int64_t of) const { return (of + 2 * padding - R) / stride + 1; }

  float at(const float* x, const float* weight, const float* bias, int64_t b, int64_t o, int64_t i,
           int64_t j) const {
    float sum = bias[o];
    for (int64_t c = 0; c < C; ++c)
      for (int64_t r = 0; r < R; ++r)
        for (int64_t s = 0; s < R; ++s) {
          const int64_t h = i * stride - padding + r, w = j * stride - padding + s;
          if (h < 0 || h >= H || w < 0 || w >= W) continue;
          sum += weight[((o * C + c) * R + r) * R + s] * x[((b * C + c) * H + h) * W + w];
        }
    return sum;
  }
};

}  // namespace

extern "C" void kernel_fused_dropout_relu_batch_norm_conv2d(
    const float* x, const float* weight, const float* bias, const float* mean, const float* variance,
    const float* scale, const float* shift, const int64_t* seed, uint8_t* mask, float* y, int64_t B,
    int64_t C, int64_t H, int64_t W, int64_t O, int64_t R, int64_t, int64_t, int64_t stride, int64_t padding,
    double p, double eps, void*) {
  const Dropout dropout(seed[0], p);
  const Convolution z{C, H, W, O, R, stride, padding};
  const int64_t rows = z.extent(H), columns = z.extent(W);

  for (int64_t b = 0; b < B; ++b)
    for (int64_t o = 0; o < O; ++o)
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j) {
          const int64_t e = ((b * O + o) * rows + i) * columns + j;
          const float sum = z.at(x, weight, bias, b, o, i, j);
          const float normed =
              (sum - mean[o]) / std::sqrt(variance[o] + static_cast<float>(eps)) * scale[o] + shift[o];
          mask[e] = dropout.keeps(e);
          y[e] = mask[e] != 0 ? std::fmax(normed, 0.0f) * dropout.scale : 0;
        }
}
