#include <cstdint>

extern "C" void kernel_conv_transpose2d(const float* x, const float* weight, const float* bias, float* y,
                                        int64_t B, int64_t C, int64_t H, int64_t W, int64_t O, int64_t R,
                                        int64_t, int64_t, int64_t, int64_t, int64_t, int64_t stride,
                                        int64_t padding, int64_t output_padding, int64_t dilation,
                                        int64_t groups, void*) {
  const int64_t rows = (H - 1) * stride - 2 * padding + dilation * (R - 1) + output_padding + 1;
  const int64_t columns = (W - 1) * stride - 2 * padding + dilation * (R - 1) + output_padding + 1;
  const int64_t inputs = C / groups, outputs = O / groups;  // channels of a group
  for (int64_t b = 0; b < B; ++b)
    for (int64_t o = 0; o < O; ++o) {
      float* plane = y + (b * O + o) * rows * columns;
      for (int64_t at = 0; at < rows * columns; ++at) plane[at] = bias[o];
      for (int64_t c = o / outputs * inputs; c < (o / outputs + 1) * inputs; ++c)
        for (int64_t r = 0; r < R; ++r)
          for (int64_t s = 0; s < R; ++s) {
            const float tap = weight[((c * outputs + o % outputs) * R + r) * R + s];
            for (int64_t h = 0; h < H; ++h) {
              const int64_t row = h * stride - padding + r * dilation;
              if (row < 0 || row >= rows) continue;
              for (int64_t w = 0; w < W; ++w) {
                const int64_t column = w * stride - padding + s * dilation;
                if (column < 0 || column >= columns) continue;
                plane[row * columns + column] += tap * x[((b * C + c) * H + h) * W + w];
              }
            }
          }
    }
}
