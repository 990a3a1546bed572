#include <cstdint>

extern "C" void kernel_conv2d(const float* x, const float* weight, const float* bias, float* y, int64_t B,
                              int64_t C, int64_t H, int64_t W, int64_t O, int64_t R, void*) {
  for (int64_t b = 0; b < B; ++b)
    for (int64_t o = 0; o < O; ++o)
      for (int64_t h = 0; h < H; ++h)
        for (int64_t w = 0; w < W; ++w) {
          float sum = bias[o];
          for (int64_t c = 0; c < C; ++c)
            for (int64_t r = 0; r < R; ++r)
              for (int64_t s = 0; s < R; ++s) {
                const int64_t row = h + r - R / 2, column = w + s - R / 2;
                if (row < 0 || row >= H || column < 0 || column >= W) continue;
                sum += weight[((o * C + c) * R + r) * R + s] * x[((b * C + c) * H + row) * W + column];
              }
          y[((b * O + o) * H + h) * W + w] = sum;
        }
}
