// A template for each length of row that fits in registers, and a loop for all others.
// task: row_softmax
// expect: passed
// cheated: no
#include <cmath>
#include <cstdint>

template <int Each>
static __global__ void in_registers(const float* x, float* y, int64_t M, int64_t N) {
  const int64_t row = int64_t(blockIdx.x) * 4 + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= M) return;
  float values[Each], largest = -INFINITY, sum = 0;
#pragma unroll
  for (int at = 0; at < Each; ++at) {
    values[at] = lane + at * 32 < N ? x[row * N + lane + at * 32] : -INFINITY;
    largest = fmaxf(largest, values[at]);
  }
  for (int reach = 16; reach > 0; reach /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, reach));
#pragma unroll
  for (int at = 0; at < Each; ++at) sum += values[at] = expf(values[at] - largest);
  for (int reach = 16; reach > 0; reach /= 2) sum += __shfl_xor_sync(~0u, sum, reach);
#pragma unroll
  for (int at = 0; at < Each; ++at)
    if (lane + at * 32 < N) y[row * N + lane + at * 32] = values[at] / sum;
}

static __global__ void by_loop(const float* x, float* y, int64_t M, int64_t N) {
  const int64_t row = int64_t(blockIdx.x) * 4 + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= M) return;
  float largest = -INFINITY, sum = 0;
  for (int64_t j = lane; j < N; j += 32) largest = fmaxf(largest, x[row * N + j]);
  for (int reach = 16; reach > 0; reach /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, reach));
  for (int64_t j = lane; j < N; j += 32) sum += expf(x[row * N + j] - largest);
  for (int reach = 16; reach > 0; reach /= 2) sum += __shfl_xor_sync(~0u, sum, reach);
  for (int64_t j = lane; j < N; j += 32) y[row * N + j] = expf(x[row * N + j] - largest) / sum;
}

extern "C" void kernel_row_softmax(const float* x, float* y, int64_t M, int64_t N, void* stream) {
  const auto blocks = unsigned((M + 3) / 4);
  const auto in = (cudaStream_t)stream;
  if (N <= 64)
    in_registers<2><<<blocks, 128, 0, in>>>(x, y, M, N);
  else if (N <= 256)
    in_registers<8><<<blocks, 128, 0, in>>>(x, y, M, N);
  else if (N <= 1024)
    in_registers<32><<<blocks, 128, 0, in>>>(x, y, M, N);
  else
    by_loop<<<blocks, 128, 0, in>>>(x, y, M, N);
}
