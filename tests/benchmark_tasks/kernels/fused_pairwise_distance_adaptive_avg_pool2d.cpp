#include <cmath>
#include <cstdint>

namespace {

/// The mean of a plane over the window (p, q) of P by Q that cover it.
float window_mean(const float* plane, int64_t H, int64_t W, int64_t P, int64_t Q, int64_t p, int64_t q) {
  const int64_t top = p * H / P, bottom = ((p + 1) * H + P - 1) / P;
  const int64_t left = q * W / Q, right = ((q + 1) * W + Q - 1) / Q;
  float sum = 0;
  for (int64_t h = top; h < bottom; ++h)
    for (int64_t w = left; w < right; ++w) sum += plane[h * W + w];
  return sum / static_cast<float>((bottom - top) * (right - left));
}

}  // namespace

extern "C" void kernel_fused_pairwise_distance_adaptive_avg_pool2d(const float* x1, const float* x2, float* y,
                                                                   int64_t B, int64_t C, int64_t H, int64_t W,
                                                                   int64_t P, int64_t Q, int64_t, int64_t,
                                                                   double eps, void*) {
  for (int64_t b = 0; b < B; ++b) {
    double squares = 0;
    for (int64_t c = 0; c < C; ++c, x1 += H * W, x2 += H * W)
      for (int64_t place = 0; place < P * Q; ++place) {
        const double difference = window_mean(x1, H, W, P, Q, place / Q, place % Q) -
                                  window_mean(x2, H, W, P, Q, place / Q, place % Q);
        squares += difference * difference;
      }
    y[b] = static_cast<float>(std::sqrt(squares) + eps);
  }
}
