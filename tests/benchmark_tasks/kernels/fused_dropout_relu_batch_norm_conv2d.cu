#include <cstdint>

namespace {

/// SplitMix64 as a function of a counter (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014).
__device__ uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// Whether dropout keeps element e: with probability 1 - p.
__device__ bool keeps(int64_t seed, int64_t e, double p) {
  constexpr uint64_t golden = 0x9E3779B97F4A7C15u;
  const uint64_t key = mix(uint64_t(seed) + golden);
  return double(mix(key + uint64_t(e + 1) * golden) >> 11) * 0x1p-53 >= p;
}

/// A convolution's shape, and one element of its result.
struct Convolution {
  int64_t C, H, W, O, R, stride, padding;

  __host__ __device__ int64_t extent(int64_t of) const { return (of + 2 * padding - R) / stride + 1; }

  __device__ float at(const float* x, const float* weight, const float* bias, int64_t b, int64_t o, int64_t i,
                      int64_t j) const {
    float sum = bias[o];
    for (int64_t c = 0; c < C; ++c)
      for (int64_t r = 0; r < R; ++r)
        for (int64_t s = 0; s < R; ++s) {
          const int64_t h = i * stride - padding + r, w = j * stride - padding + s;
          if (h < 0 || h >= H || w < 0 || w >= W) continue;
          sum += weight[((o * C + c) * R + r) * R + s] * x[((b * C + c) * H + h) * W + w];
        }
    return sum;
  }
};

// A thread an element.
__global__ void convolve(const float* x, const float* weight, const float* bias, const float* mean,
                         const float* variance, const float* scale, const float* shift, const int64_t* seed,
                         uint8_t* mask, float* y, int64_t count, int64_t rows, int64_t columns, Convolution z,
                         double p, float eps) {
  const int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= count) return;
  const int64_t j = e % columns, i = e / columns % rows, o = e / columns / rows % z.O,
                b = e / columns / rows / z.O;
  const float sum = z.at(x, weight, bias, b, o, i, j);
  const float normed = (sum - mean[o]) / sqrtf(variance[o] + eps) * scale[o] + shift[o];
  const bool kept = keeps(seed[0], e, p);
  mask[e] = kept;
  y[e] = kept ? fmaxf(normed, 0.0f) * float(1 / (1 - p)) : 0;
}

}  // namespace

extern "C" void kernel_fused_dropout_relu_batch_norm_conv2d(
    const float* x, const float* weight, const float* bias, const float* mean, const float* variance,
    const float* scale, const float* shift, const int64_t* seed, uint8_t* mask, float* y, int64_t B,
    int64_t C, int64_t H, int64_t W, int64_t O, int64_t R, int64_t, int64_t, int64_t stride, int64_t padding,
    double p, double eps, void* stream) {
  const Convolution z{C, H, W, O, R, stride, padding};
  const int64_t rows = z.extent(H), columns = z.extent(W);
  const int64_t count = B * O * rows * columns;
  if (count < 1) return;
  convolve<<<(count + 127) / 128, 128, 0, (cudaStream_t)stream>>>(
      x, weight, bias, mean, variance, scale, shift, seed, mask, y, count, rows, columns, z, p, float(eps));
}
