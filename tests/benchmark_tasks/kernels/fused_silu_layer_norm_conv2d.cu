#include <cstdint>

namespace {

/// A convolution's shape, and one element of its result.
struct Convolution {
  int64_t C, H, W, O, R, stride, padding;

  __host__ __device__ int64_t extent(int64_t of) const { return (of + 2 * padding - R) / stride + 1; }

  __device__ float at(const float* x, const float* weight, const float* bias, int64_t b, int64_t o, int64_t p,
                      int64_t q) const {
    float sum = bias[o];
    for (int64_t c = 0; c < C; ++c)
      for (int64_t r = 0; r < R; ++r)
        for (int64_t s = 0; s < R; ++s) {
          const int64_t h = p * stride - padding + r, w = q * stride - padding + s;
          if (h < 0 || h >= H || w < 0 || w >= W) continue;
          sum += weight[((o * C + c) * R + r) * R + s] * x[((b * C + c) * H + h) * W + w];
        }
    return sum;
  }
};

/// The sum over the block, for every thread of it.
__device__ double block_sum(double value) {
  __shared__ double parts[32];
  for (int reach = 16; reach > 0; reach /= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, reach);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0;
  for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) value += parts[warp];
  __syncthreads();
  return value;
}

// A thread an element.
__global__ void convolve(const float* x, const float* weight, const float* bias, float* y, int64_t count,
                         int64_t rows, int64_t columns, Convolution z) {
  const int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= count) return;
  const int64_t q = e % columns, p = e / columns % rows, o = e / columns / rows % z.O,
                b = e / columns / rows / z.O;
  const float sum = z.at(x, weight, bias, b, o, p, q);
  y[e] = sum;
}

// A block an image.
__global__ void normalize(float* y, int64_t count, double eps) {
  y += blockIdx.x * count;
  double sum = 0, squares = 0;
  for (int64_t e = threadIdx.x; e < count; e += blockDim.x) sum += y[e];
  const double mean = block_sum(sum) / double(count);
  for (int64_t e = threadIdx.x; e < count; e += blockDim.x) squares += (y[e] - mean) * (y[e] - mean);
  const double inverse = 1 / sqrt(block_sum(squares) / double(count) + eps);
  for (int64_t e = threadIdx.x; e < count; e += blockDim.x) {
    const float value = float((y[e] - mean) * inverse);
    y[e] = value / (1 + expf(-value));
  }
}

}  // namespace

extern "C" void kernel_fused_silu_layer_norm_conv2d(const float* x, const float* weight, const float* bias,
                                                    float* y, int64_t B, int64_t C, int64_t H, int64_t W,
                                                    int64_t O, int64_t R, int64_t, int64_t, int64_t stride,
                                                    int64_t padding, double eps, void* stream) {
  const Convolution z{C, H, W, O, R, stride, padding};
  const int64_t rows = z.extent(H), columns = z.extent(W);
  const int64_t count = O * rows * columns;
  if (B * count < 1) return;
  convolve<<<(B * count + 127) / 128, 128, 0, (cudaStream_t)stream>>>(x, weight, bias, y, B * count, rows,
                                                                      columns, z);
  normalize<<<B, 1024, 0, (cudaStream_t)stream>>>(y, count, eps);
}
