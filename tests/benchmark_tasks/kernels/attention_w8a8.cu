#include <cstddef>
#include <cstdint>

// Integers first, then scores and their softmax in the workspace, and the averages.

namespace {

// A thread a row or column of K elements, `step` apart: its scale and its integers.
__global__ void quantize(const float* values, float* scales, int8_t* integers, int64_t count, int64_t lines,
                         int64_t K, int64_t line, int64_t step) {
  const int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= count) return;
  const int64_t first = e / lines * lines * K + e % lines * line;
  float largest = 0;
  for (int64_t k = 0; k < K; ++k) largest = fmaxf(largest, fabsf(values[first + k * step]));
  int exponent = 0;
  if (largest > 0) frexpf(largest, &exponent);
  const float scale = fmaxf(ldexpf(1.0f, exponent - 7), 0x1p-40f);
  scales[e] = scale;
  for (int64_t k = 0; k < K; ++k) {
    const float quotient = rintf(values[first + k * step] / scale);
    integers[first + k * step] = int8_t(fminf(fmaxf(quotient, -127.0f), 127.0f));
  }
}

// A thread a score.
__global__ void score(const int8_t* q, const int8_t* k, const float* sq, const float* sk, float* z,
                      int64_t count, int64_t S, int64_t T, int64_t D, float factor) {
  const int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= count) return;
  const int64_t row = e / T, key = row / S * T + e % T;
  int32_t dot = 0;
  for (int64_t d = 0; d < D; ++d) dot += q[row * D + d] * k[key * D + d];
  z[e] = float(dot) * sq[row] * sk[key] * factor;
}

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

// In place, a block a row: scores become the integers of their probabilities. `sums` are of the exponentials.
__global__ void weigh(float* z, float* sums, int64_t rows, int64_t T) {
  for (int64_t i = blockIdx.x; i < rows; i += gridDim.x) {
    float* row = z + i * T;
    float largest = row[0];
    for (int64_t j = threadIdx.x; j < T; j += blockDim.x) largest = fmaxf(largest, row[j]);
    largest = block_max(largest);
    double sum = 0;
    for (int64_t j = threadIdx.x; j < T; j += blockDim.x) {
      const float weight = expf(row[j] - largest);
      sum += weight;
      row[j] = rintf(127 * weight);
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) sums[i] = float(sum);
  }
}

// A thread an element of o.
__global__ void average(const float* steps, const float* sums, const int8_t* v, const float* sv, float* o,
                        int64_t count, int64_t S, int64_t T, int64_t D) {
  const int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= count) return;
  const int64_t row = e / D, b = row / S, d = e % D;
  int32_t total = 0;
  for (int64_t j = 0; j < T; ++j) total += int32_t(steps[row * T + j]) * v[(b * T + j) * D + d];
  o[e] = float(total) * sv[b * D + d] / (127 * sums[row]);
}

int64_t blocks_of(int64_t threads, int64_t each) {
  return (threads + each - 1) / each;
}

}  // namespace

extern "C" size_t kernel_attention_w8a8_workspace(int64_t B, int64_t S, int64_t T, int64_t D) {
  return size_t(B * (S * T + 2 * S + T + D)) * sizeof(float) + size_t(B * (S + 2 * T) * D);
}

extern "C" void kernel_attention_w8a8(const float* q, const float* k, const float* v, float* o, int64_t B,
                                      int64_t S, int64_t T, int64_t D, double factor, void* workspace,
                                      void* stream) {
  if (B * S * T * D < 1) return;
  const auto queue = (cudaStream_t)stream;
  auto *z = static_cast<float*>(workspace), *sums = z + B * S * T;
  float *sq = sums + B * S, *sk = sq + B * S, *sv = sk + B * T;
  auto* queries = reinterpret_cast<int8_t*>(sv + B * D);
  int8_t *keys = queries + B * S * D, *values = keys + B * T * D;
  quantize<<<blocks_of(B * S, 128), 128, 0, queue>>>(q, sq, queries, B * S, S, D, D, 1);
  quantize<<<blocks_of(B * T, 128), 128, 0, queue>>>(k, sk, keys, B * T, T, D, D, 1);
  quantize<<<blocks_of(B * D, 128), 128, 0, queue>>>(v, sv, values, B * D, D, T, 1, D);
  score<<<blocks_of(B * S * T, 256), 256, 0, queue>>>(queries, keys, sq, sk, z, B * S * T, S, T, D,
                                                      float(factor));
  const int64_t blocks = min(B * S, int64_t{65536});
  weigh<<<blocks, 256, 0, queue>>>(z, sums, B * S, T);
  average<<<blocks_of(B * S * D, 256), 256, 0, queue>>>(z, sums, values, sv, o, B * S * D, S, T, D);
}
