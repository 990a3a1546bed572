#include <cstddef>
#include <cstdint>

namespace {

/// The maximum over the block, for every thread of it.
__device__ float block_max(float value) {
  __shared__ float parts[32];
  for (int reach = 16; reach > 0; reach /= 2)
    value = fmaxf(value, __shfl_xor_sync(0xFFFFFFFFu, value, reach));
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = parts[0];
  for (unsigned warp = 1; warp < blockDim.x / 32; ++warp) value = fmaxf(value, parts[warp]);
  __syncthreads();
  return value;
}

/// The scale of values whose largest magnitude this is.
__device__ float scale_of(float largest) {
  int exponent = 0;
  if (largest > 0) frexpf(largest, &exponent);
  return fmaxf(ldexpf(1.0f, exponent - 7), 0x1p-40f);
}

__device__ int8_t quantize(float value, float scale) {
  return int8_t(fminf(fmaxf(rintf(value / scale), -127.0f), 127.0f));
}

// A block a line of `count` values that share a scale.
__global__ void find_scales(const float* values, float* scales, int64_t count) {
  float largest = 0;
  for (int64_t i = threadIdx.x; i < count; i += blockDim.x)
    largest = fmaxf(largest, fabsf(values[blockIdx.x * count + i]));
  largest = block_max(largest);
  if (threadIdx.x == 0) scales[blockIdx.x] = scale_of(largest);
}

// A thread an element of y.
__global__ void convolve(const float* x, const float* weight, const float* bias, const float* sx,
                         const float* sw, float* y, int64_t count, int64_t C, int64_t H, int64_t W, int64_t O,
                         int64_t R, int64_t rows, int64_t columns, int64_t stride, int64_t padding) {
  const int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= count) return;
  const int64_t q = e % columns, p = e / columns % rows, o = e / columns / rows % O,
                b = e / columns / rows / O;
  int32_t sum = 0;
  for (int64_t c = 0; c < C; ++c)
    for (int64_t r = 0; r < R; ++r)
      for (int64_t t = 0; t < R; ++t) {
        const int64_t h = p * stride - padding + r, w = q * stride - padding + t;
        if (h < 0 || h >= H || w < 0 || w >= W) continue;
        sum += quantize(weight[((o * C + c) * R + r) * R + t], sw[o]) *
               quantize(x[((b * C + c) * H + h) * W + w], *sx);
      }
  y[e] = float(sum) * *sx * sw[o] + bias[o];
}

}  // namespace

extern "C" size_t kernel_conv2d_w8a8_workspace(int64_t, int64_t, int64_t, int64_t, int64_t O, int64_t,
                                               int64_t, int64_t) {
  return size_t(O + 1) * sizeof(float);
}

extern "C" void kernel_conv2d_w8a8(const float* x, const float* weight, const float* bias, float* y,
                                   int64_t B, int64_t C, int64_t H, int64_t W, int64_t O, int64_t R, int64_t,
                                   int64_t, int64_t stride, int64_t padding, void* workspace, void* stream) {
  const int64_t rows = (H + 2 * padding - R) / stride + 1, columns = (W + 2 * padding - R) / stride + 1;
  const int64_t count = B * O * rows * columns;
  if (count < 1) return;
  auto *sw = static_cast<float*>(workspace), *sx = sw + O;
  find_scales<<<1, 1024, 0, (cudaStream_t)stream>>>(x, sx, B * C * H * W);
  find_scales<<<O, 128, 0, (cudaStream_t)stream>>>(weight, sw, C * R * R);
  convolve<<<(count + 127) / 128, 128, 0, (cudaStream_t)stream>>>(x, weight, bias, sx, sw, y, count, C, H, W,
                                                                  O, R, rows, columns, stride, padding);
}
