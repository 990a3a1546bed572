#include <cstdint>

namespace {

struct Window {
  int64_t extent, stride, padding, dilation;

  /// The element of x whose tap r meets this place; -1 if none does.
  __device__ int64_t source(int64_t place, int64_t r, int64_t most) const {
    const int64_t from = place + padding - r * dilation;
    return from < 0 || from % stride != 0 || from / stride >= most ? -1 : from / stride;
  }
};

// A thread an element of the output.
__global__ void gather(const float* x, const float* weight, const float* bias, float* y, int64_t B, int64_t C,
                       int64_t H, int64_t W, int64_t O, int64_t rows, int64_t columns, int64_t groups,
                       Window window) {
  const int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= B * O * rows * columns) return;
  const int64_t q = e % columns, p = e / columns % rows, o = e / columns / rows % O,
                b = e / columns / rows / O;
  const int64_t inputs = C / groups, outputs = O / groups, R = window.extent;
  float sum = bias[o];
  for (int64_t r = 0; r < R; ++r) {
    const int64_t h = window.source(p, r, H);
    if (h < 0) continue;
    for (int64_t s = 0; s < R; ++s) {
      const int64_t w = window.source(q, s, W);
      if (w < 0) continue;
      for (int64_t c = o / outputs * inputs; c < (o / outputs + 1) * inputs; ++c)
        sum += weight[((c * outputs + o % outputs) * R + r) * R + s] * x[((b * C + c) * H + h) * W + w];
    }
  }
  y[e] = sum;
}

}  // namespace

extern "C" void kernel_conv_transpose2d(const float* x, const float* weight, const float* bias, float* y,
                                        int64_t B, int64_t C, int64_t H, int64_t W, int64_t O, int64_t R,
                                        int64_t, int64_t, int64_t, int64_t, int64_t, int64_t stride,
                                        int64_t padding, int64_t output_padding, int64_t dilation,
                                        int64_t groups, void* stream) {
  const int64_t rows = (H - 1) * stride - 2 * padding + dilation * (R - 1) + output_padding + 1;
  const int64_t columns = (W - 1) * stride - 2 * padding + dilation * (R - 1) + output_padding + 1;
  const int64_t count = B * O * rows * columns;
  if (count < 1) return;
  gather<<<(count + 255) / 256, 256, 0, (cudaStream_t)stream>>>(
      x, weight, bias, y, B, C, H, W, O, rows, columns, groups, Window{R, stride, padding, dilation});
}
