#include <cstdint>

namespace {

struct Place {
  int64_t low, high;
  float share;  // of `high`
};

__device__ Place place_of(int64_t target, int64_t from, int64_t to) {
  const double at = fmax((double(target) + 0.5) * double(from) / double(to) - 0.5, 0.0);
  const int64_t floor = int64_t(at), low = floor < from - 1 ? floor : from - 1;
  return {low, low + 1 < from ? low + 1 : from - 1, float(at - double(low))};
}

// A block some rows of the target.
__global__ void resize(const float* x, float* y, int64_t planes, int64_t H, int64_t W, int64_t P, int64_t Q) {
  for (int64_t row = blockIdx.x; row < planes * P; row += gridDim.x) {
    const Place u = place_of(row % P, H, P);
    const float* upper = x + (row / P * H + u.low) * W;
    const float* lower = x + (row / P * H + u.high) * W;
    for (int64_t q = threadIdx.x; q < Q; q += blockDim.x) {
      const Place v = place_of(q, W, Q);
      const float above = (1 - v.share) * upper[v.low] + v.share * upper[v.high];
      const float below = (1 - v.share) * lower[v.low] + v.share * lower[v.high];
      y[row * Q + q] = (1 - u.share) * above + u.share * below;
    }
  }
}

}  // namespace

extern "C" void kernel_interpolate(const float* x, float* y, int64_t B, int64_t C, int64_t H, int64_t W,
                                   int64_t P, int64_t Q, int64_t, int64_t, void* stream) {
  const int64_t rows = B * C * P;
  if (rows < 1) return;
  const int64_t blocks = min(rows, int64_t{65536});
  resize<<<blocks, 128, 0, (cudaStream_t)stream>>>(x, y, B * C, H, W, P, Q);
}
