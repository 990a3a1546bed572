#include <cmath>
#include <cstdint>

namespace {

/// The first row of window `i` of `count`, or its first column.
int64_t start_of(int64_t i, float sample, int64_t length, int64_t count, int64_t window) {
  if (i == count - 1) return length - window;
  const float step = static_cast<float>(length - window) / static_cast<float>(count - 1);
  return static_cast<int64_t>((static_cast<float>(i) + sample) * step) - static_cast<int64_t>(sample * step);
}

}  // namespace

extern "C" void kernel_fused_fractional_max_pool2d_with_relu(const float* x, const float* samples, float* y,
                                                             int64_t* index, int64_t B, int64_t C, int64_t H,
                                                             int64_t W, int64_t P, int64_t Q, int64_t,
                                                             int64_t window, int64_t, int64_t, void*) {
  for (int64_t plane = 0; plane < B * C; ++plane)
    for (int64_t p = 0; p < P; ++p)
      for (int64_t q = 0; q < Q; ++q) {
        const int64_t top = start_of(p, samples[plane * 2 + 1], H, P, window);
        const int64_t left = start_of(q, samples[plane * 2], W, Q, window);
        const int64_t e = (plane * P + p) * Q + q;
        y[e] = -1;
        for (int64_t h = top; h < top + window; ++h)
          for (int64_t w = left; w < left + window; ++w)
            if (const float value = std::fmax(x[(plane * H + h) * W + w], 0.0f); value > y[e]) {
              y[e] = value;
              index[e] = h * W + w;
            }
      }
}
