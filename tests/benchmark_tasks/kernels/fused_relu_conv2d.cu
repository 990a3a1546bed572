#include <cstdint>

namespace {

/// A convolution's shape, and one element of its result.
struct Convolution {
  int64_t C, H, W, O, R, stride, padding, dilation, groups;

  __host__ __device__ int64_t extent(int64_t of) const {
    return (of + 2 * padding - dilation * (R - 1) - 1) / stride + 1;
  }

  __device__ float at(const float* x, const float* weight, const float* bias, int64_t b, int64_t o, int64_t p,
                      int64_t q) const {
    const int64_t inputs = C / groups, first = o / (O / groups) * inputs;  // channels of a group
    float sum = bias[o];
    for (int64_t c = 0; c < inputs; ++c)
      for (int64_t r = 0; r < R; ++r)
        for (int64_t s = 0; s < R; ++s) {
          const int64_t h = p * stride - padding + r * dilation, w = q * stride - padding + s * dilation;
          if (h < 0 || h >= H || w < 0 || w >= W) continue;
          sum += weight[((o * inputs + c) * R + r) * R + s] * x[((b * C + first + c) * H + h) * W + w];
        }
    return sum;
  }
};

// A thread an element.
__global__ void convolve(const float* x, const float* weight, const float* bias, float* y, int64_t count,
                         int64_t rows, int64_t columns, Convolution z) {
  const int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= count) return;
  const int64_t q = e % columns, p = e / columns % rows, o = e / columns / rows % z.O,
                b = e / columns / rows / z.O;
  const float sum = z.at(x, weight, bias, b, o, p, q);
  y[e] = fmaxf(sum, 0.0f);
}

}  // namespace

extern "C" void kernel_fused_relu_conv2d(const float* x, const float* weight, const float* bias, float* y,
                                         int64_t B, int64_t C, int64_t H, int64_t W, int64_t O, int64_t R,
                                         int64_t, int64_t, int64_t, int64_t, int64_t stride, int64_t padding,
                                         int64_t dilation, int64_t groups, void* stream) {
  const Convolution z{C, H, W, O, R, stride, padding, dilation, groups};
  const int64_t rows = z.extent(H), columns = z.extent(W);
  const int64_t count = B * O * rows * columns;
  if (count < 1) return;
  convolve<<<(count + 127) / 128, 128, 0, (cudaStream_t)stream>>>(x, weight, bias, y, count, rows, columns,
                                                                  z);
}
