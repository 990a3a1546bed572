#include <cstdint>

namespace {

/// The cosine of the angle between two vectors, whose elements lie `step` apart.
__device__ float cosine(const float* u, const float* v, int64_t C, int64_t step, double eps) {
  double dot = 0, first = 0, second = 0;
  for (int64_t c = 0; c < C * step; c += step) {
    dot += double(u[c]) * v[c];
    first += double(u[c]) * u[c];
    second += double(v[c]) * v[c];
  }
  return float(dot / (fmax(sqrt(first), eps) * fmax(sqrt(second), eps)));
}

__global__ void pool(const float* x1, const float* x2, float* y, int64_t B, int64_t C, int64_t H, int64_t W,
                     int64_t window, int64_t stride, int64_t padding, double eps) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
       e < B * ((H + 2 * padding - window) / stride + 1) * ((W + 2 * padding - window) / stride + 1);
       e += step) {
    const int64_t rows = (H + 2 * padding - window) / stride + 1,
                  columns = (W + 2 * padding - window) / stride + 1;
    const int64_t top = e / columns % rows * stride - padding, left = e % columns * stride - padding;
    const int64_t from = e / columns / rows * C * H * W;
    float sum = 0;
    for (int64_t h = top; h < top + window; ++h)
      for (int64_t w = left; w < left + window; ++w)
        if (h >= 0 && h < H && w >= 0 && w < W)
          sum += cosine(x1 + from + h * W + w, x2 + from + h * W + w, C, H * W, eps);
    y[e] = sum / float(window * window);
  }
}

}  // namespace

extern "C" void kernel_fused_avg_pool2d_cosine_similarity(const float* x1, const float* x2, float* y,
                                                          int64_t B, int64_t C, int64_t H, int64_t W, int64_t,
                                                          int64_t, int64_t, int64_t window, int64_t stride,
                                                          int64_t padding, double eps, void* stream) {
  const int64_t count =
      B * ((H + 2 * padding - window) / stride + 1) * ((W + 2 * padding - window) / stride + 1);
  if (count < 1) return;
  pool<<<min((count + 255) / 256, int64_t{65536}), 256, 0, (cudaStream_t)stream>>>(
      x1, x2, y, B, C, H, W, window, stride, padding, eps);
}
