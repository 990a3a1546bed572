#include <cstdint>

namespace {

// A thread a place, for all channels.
__global__ void sample(const float* x, const float* theta, float* y, int64_t B, int64_t C, int64_t H,
                       int64_t W, int64_t P, int64_t Q) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x, places = P * Q;
  for (int64_t at = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; at < B * places; at += step) {
    const int64_t b = at / places, place = at % places;
    const float* m = theta + b * 6;
    const double s = double(2 * (place % Q) + 1) / double(Q) - 1,
                 t = double(2 * (place / Q) + 1) / double(P) - 1;
    const double v = ((m[0] * s + m[1] * t + m[2] + 1) * double(W) - 1) / 2;
    const double u = ((m[3] * s + m[4] * t + m[5] + 1) * double(H) - 1) / 2;
    const auto row = int64_t(floor(u)), column = int64_t(floor(v));
    for (int64_t c = 0; c < C; ++c) {
      const float* plane = x + (b * C + c) * H * W;
      float sum = 0;
      for (int64_t i = row; i <= row + 1; ++i)
        for (int64_t j = column; j <= column + 1; ++j) {
          if (i < 0 || i >= H || j < 0 || j >= W) continue;
          const double share = (1 - fabs(u - double(i))) * (1 - fabs(v - double(j)));
          sum += float(share) * plane[i * W + j];
        }
      y[(b * C + c) * places + place] = sum;
    }
  }
}

}  // namespace

extern "C" void kernel_grid_sample_with_affine(const float* x, const float* theta, float* y, int64_t B,
                                               int64_t C, int64_t H, int64_t W, int64_t P, int64_t Q, int64_t,
                                               int64_t, void* stream) {
  const int64_t blocks = min((B * P * Q + 127) / 128, int64_t{65536});
  if (blocks < 1) return;
  sample<<<blocks, 128, 0, (cudaStream_t)stream>>>(x, theta, y, B, C, H, W, P, Q);
}
