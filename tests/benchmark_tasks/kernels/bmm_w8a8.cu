#include <cstddef>
#include <cstdint>

namespace {

/// The scale of values whose largest magnitude this is.
__device__ float scale_of(float largest) {
  int exponent = 0;
  if (largest > 0) frexpf(largest, &exponent);
  return fmaxf(ldexpf(1.0f, exponent - 7), 0x1p-40f);
}

__device__ int8_t quantize(float value, float scale) {
  return int8_t(fminf(fmaxf(rintf(value / scale), -127.0f), 127.0f));
}

// A thread a row or column of K elements, `step` apart: its scale.
__global__ void find_scales(const float* values, float* scales, int64_t count, int64_t lines, int64_t K,
                            int64_t line, int64_t step) {
  const int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= count) return;
  const float* first = values + e / lines * lines * K + e % lines * line;
  float largest = 0;
  for (int64_t k = 0; k < K; ++k) largest = fmaxf(largest, fabsf(first[k * step]));
  scales[e] = scale_of(largest);
}

// A thread an element of y.
__global__ void multiply(const float* x, const float* w, const float* sx, const float* sw, float* y,
                         int64_t count, int64_t M, int64_t N, int64_t K) {
  const int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= count) return;
  const int64_t row = e / N, b = row / M, j = e % N;
  int32_t sum = 0;
  for (int64_t k = 0; k < K; ++k)
    sum += quantize(x[row * K + k], sx[row]) * quantize(w[(b * K + k) * N + j], sw[b * N + j]);
  y[e] = float(sum) * sx[row] * sw[b * N + j];
}

}  // namespace

extern "C" size_t kernel_bmm_w8a8_workspace(int64_t B, int64_t M, int64_t N, int64_t) {
  return size_t(B * (M + N)) * sizeof(float);
}

extern "C" void kernel_bmm_w8a8(const float* x, const float* w, float* y, int64_t B, int64_t M, int64_t N,
                                int64_t K, void* workspace, void* stream) {
  const int64_t count = B * M * N;
  if (count < 1) return;
  auto *sx = static_cast<float*>(workspace), *sw = sx + B * M;
  find_scales<<<(B * M + 127) / 128, 128, 0, (cudaStream_t)stream>>>(x, sx, B * M, M, K, K, 1);
  find_scales<<<(B * N + 127) / 128, 128, 0, (cudaStream_t)stream>>>(w, sw, B * N, N, K, 1, N);
  multiply<<<(count + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, w, sx, sw, y, count, M, N, K);
}
