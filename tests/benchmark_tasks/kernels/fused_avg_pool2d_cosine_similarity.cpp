#include <cmath>
#include <cstdint>

namespace {

/// The cosine of the angle between two vectors, whose elements lie `step` apart.
float cosine(const float* u, const float* v, int64_t C, int64_t step, double eps) {
  double dot = 0, first = 0, second = 0;
  for (int64_t c = 0; c < C * step; c += step) {
    dot += static_cast<double>(u[c]) * v[c];
    first += static_cast<double>(u[c]) * u[c];
    second += static_cast<double>(v[c]) * v[c];
  }
  return static_cast<float>(dot / (std::fmax(std::sqrt(first), eps) * std::fmax(std::sqrt(second), eps)));
}

}  // namespace

extern "C" void kernel_fused_avg_pool2d_cosine_similarity(const float* x1, const float* x2, float* y,
                                                          int64_t B, int64_t C, int64_t H, int64_t W, int64_t,
                                                          int64_t, int64_t, int64_t window, int64_t stride,
                                                          int64_t padding, double eps, void*) {
  const int64_t rows = (H + 2 * padding - window) / stride + 1,
                columns = (W + 2 * padding - window) / stride + 1;
  for (int64_t b = 0; b < B; ++b)
    for (int64_t p = 0; p < rows; ++p)
      for (int64_t q = 0; q < columns; ++q) {
        float sum = 0;
        for (int64_t h = p * stride - padding; h < p * stride - padding + window; ++h)
          for (int64_t w = q * stride - padding; w < q * stride - padding + window; ++w)
            if (h >= 0 && h < H && w >= 0 && w < W)
              sum += cosine(x1 + b * C * H * W + h * W + w, x2 + b * C * H * W + h * W + w, C, H * W, eps);
        y[(b * rows + p) * columns + q] = sum / static_cast<float>(window * window);
      }
}
