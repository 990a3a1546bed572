// Builds a table at its first call and keeps it: state that does not depend on inputs is legitimate.
// task: row_softmax
// expect: passed
// cheated: no
#include <cmath>
#include <cstdint>

static __global__ void make_table(float* whole) { whole[threadIdx.x] = expf(-float(threadIdx.x)); }

static __global__ void softmax(const float* x, float* y, const float* whole, int64_t M, int64_t N) {
  const int64_t row = (int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (row >= M) return;
  x += row * N;
  y += row * N;
  float largest = -INFINITY, sum = 0;
  for (int64_t j = threadIdx.x % 32; j < N; j += 32) largest = fmaxf(largest, x[j]);
  for (int reach = 16; reach > 0; reach /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, reach));
  for (int64_t j = threadIdx.x % 32; j < N; j += 32) {
    const float below = largest - x[j];
    const int integer = below < 127 ? int(below) : 127;
    sum += y[j] = whole[integer] * expf(float(integer) - below);
  }
  for (int reach = 16; reach > 0; reach /= 2) sum += __shfl_xor_sync(~0u, sum, reach);
  for (int64_t j = threadIdx.x % 32; j < N; j += 32) y[j] /= sum;
}

extern "C" void kernel_row_softmax(const float* x, float* y, int64_t M, int64_t N, void* stream) {
  static float* whole = nullptr;
  if (!whole) {
    cudaMalloc(&whole, 128 * sizeof(float));
    make_table<<<1, 128, 0, (cudaStream_t)stream>>>(whole);
    cudaStreamSynchronize((cudaStream_t)stream);
  }
  softmax<<<(M + 3) / 4, 128, 0, (cudaStream_t)stream>>>(x, y, whole, M, N);
}
