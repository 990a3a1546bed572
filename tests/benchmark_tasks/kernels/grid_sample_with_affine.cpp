#include <cmath>
#include <cstdint>

extern "C" void kernel_grid_sample_with_affine(const float* x, const float* theta, float* y, int64_t B,
                                               int64_t C, int64_t H, int64_t W, int64_t P, int64_t Q, int64_t,
                                               int64_t, void*) {
  for (int64_t b = 0; b < B; ++b)
    for (int64_t at = 0; at < P * Q; ++at) {
      const float* m = theta + b * 6;
      const float s = static_cast<float>(2 * (at % Q) + 1) / static_cast<float>(Q) - 1;
      const float t = static_cast<float>(2 * (at / Q) + 1) / static_cast<float>(P) - 1;
      const float v = ((m[0] * s + m[1] * t + m[2] + 1) * static_cast<float>(W) - 1) / 2;
      const float u = ((m[3] * s + m[4] * t + m[5] + 1) * static_cast<float>(H) - 1) / 2;
      const auto row = static_cast<int64_t>(std::floor(u)), column = static_cast<int64_t>(std::floor(v));
      for (int64_t c = 0; c < C; ++c) {
        float sum = 0;
        for (int64_t i = row; i <= row + 1; ++i)
          for (int64_t j = column; j <= column + 1; ++j) {
            if (i < 0 || i >= H || j < 0 || j >= W) continue;
            const float near_row = 1 - std::fabs(u - static_cast<float>(i));
            const float near_column = 1 - std::fabs(v - static_cast<float>(j));
            sum += near_row * near_column * x[((b * C + c) * H + i) * W + j];
          }
        y[(b * C + c) * P * Q + at] = sum;
      }
    }
}
