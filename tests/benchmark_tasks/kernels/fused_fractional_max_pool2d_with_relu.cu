#include <cstdint>

namespace {

/// The first row of window `i` of `count`, or its first column.
__device__ int64_t start_of(int64_t i, float sample, int64_t length, int64_t count, int64_t window) {
  if (i == count - 1) return length - window;
  const float step = float(length - window) / float(count - 1);
  return int64_t((float(i) + sample) * step) - int64_t(sample * step);
}

// A thread a window.
__global__ void pool(const float* x, const float* samples, float* y, int64_t* index, int64_t count, int64_t H,
                     int64_t W, int64_t P, int64_t Q, int64_t window) {
  const int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= count) return;
  const int64_t q = e % Q, p = e / Q % P, plane = e / Q / P;
  const int64_t top = start_of(p, samples[plane * 2 + 1], H, P, window);
  const int64_t left = start_of(q, samples[plane * 2], W, Q, window);
  float largest = -1;
  int64_t place = 0;
  for (int64_t h = top; h < top + window; ++h)
    for (int64_t w = left; w < left + window; ++w) {
      const float value = fmaxf(x[(plane * H + h) * W + w], 0.0f);
      if (value <= largest) continue;
      largest = value;
      place = h * W + w;
    }
  y[e] = largest;
  index[e] = place;
}

}  // namespace

extern "C" void kernel_fused_fractional_max_pool2d_with_relu(const float* x, const float* samples, float* y,
                                                             int64_t* index, int64_t B, int64_t C, int64_t H,
                                                             int64_t W, int64_t P, int64_t Q, int64_t,
                                                             int64_t window, int64_t, int64_t, void* stream) {
  const int64_t count = B * C * P * Q;
  if (count < 1) return;
  pool<<<(count + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, samples, y, index, count, H, W, P, Q,
                                                              window);
}
