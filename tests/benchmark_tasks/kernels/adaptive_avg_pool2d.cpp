#include <cstdint>

extern "C" void kernel_adaptive_avg_pool2d(const float* x, float* y, int64_t B, int64_t C, int64_t H,
                                           int64_t W, int64_t P, int64_t Q, int64_t, int64_t, void*) {
  for (int64_t plane = 0; plane < B * C; ++plane)
    for (int64_t p = 0; p < P; ++p)
      for (int64_t q = 0; q < Q; ++q) {
        const int64_t top = p * H / P, bottom = ((p + 1) * H + P - 1) / P;
        const int64_t left = q * W / Q, right = ((q + 1) * W + Q - 1) / Q;
        float sum = 0;
        for (int64_t h = top; h < bottom; ++h)
          for (int64_t w = left; w < right; ++w) sum += x[(plane * H + h) * W + w];
        y[(plane * P + p) * Q + q] = sum / static_cast<float>((bottom - top) * (right - left));
      }
}
