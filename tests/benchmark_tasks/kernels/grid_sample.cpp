#include <cmath>
#include <cstdint>

extern "C" void kernel_grid_sample(const float* x, const float* grid, float* y, int64_t B, int64_t C,
                                   int64_t H, int64_t W, int64_t P, int64_t Q, void*) {
  for (int64_t b = 0; b < B; ++b)
    for (int64_t at = 0; at < P * Q; ++at) {
      const float* place = grid + (b * P * Q + at) * 2;
      const float v = ((place[0] + 1) * static_cast<float>(W) - 1) / 2;
      const float u = ((place[1] + 1) * static_cast<float>(H) - 1) / 2;
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
