#include <algorithm>
#include <cstdint>

namespace {

struct Place {
  int64_t low, high;
  float share;  // of `high`
};

Place place_of(int64_t target, int64_t from, int64_t to) {
  const float ratio = static_cast<float>(from) / static_cast<float>(to);
  const float at = std::max((static_cast<float>(target) + 0.5f) * ratio - 0.5f, 0.0f);
  const auto low = std::min(static_cast<int64_t>(at), from - 1);
  return {low, std::min(low + 1, from - 1), at - static_cast<float>(low)};
}

}  // namespace

extern "C" void kernel_interpolate(const float* x, float* y, int64_t B, int64_t C, int64_t H, int64_t W,
                                   int64_t P, int64_t Q, int64_t, int64_t, void*) {
  for (int64_t plane = 0; plane < B * C; ++plane, x += H * W, y += P * Q)
    for (int64_t p = 0; p < P; ++p)
      for (int64_t q = 0; q < Q; ++q) {
        const Place u = place_of(p, H, P), v = place_of(q, W, Q);
        const float upper = (1 - v.share) * x[u.low * W + v.low] + v.share * x[u.low * W + v.high];
        const float lower = (1 - v.share) * x[u.high * W + v.low] + v.share * x[u.high * W + v.high];
        y[p * Q + q] = (1 - u.share) * upper + u.share * lower;
      }
}
