// Dynamic parallelism as books have it: a block a row finds the row's sums and launches the kernel that divides.
// task: row_softmax
// expect: passed
// cheated: no
#include <cmath>
#include <cstdint>

static __global__ void divide(const float* row, float* out, int64_t N, float largest, float sum) {
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) out[j] = expf(row[j] - largest) / sum;
}

static __global__ void rows(const float* x, float* y, int64_t N) {
  __shared__ float kept[256];
  const float* row = x + blockIdx.x * N;
  float largest = -INFINITY, sum = 0;
  for (int64_t j = threadIdx.x; j < N; j += 256) largest = fmaxf(largest, row[j]);
  kept[threadIdx.x] = largest;
  __syncthreads();
  for (int i = 0; i < 256; ++i) largest = fmaxf(largest, kept[i]);
  __syncthreads();
  for (int64_t j = threadIdx.x; j < N; j += 256) sum += expf(row[j] - largest);
  kept[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 1; i < 256; ++i) sum += kept[i];
  divide<<<1, 256>>>(row, y + blockIdx.x * N, N, largest, sum);
}

extern "C" void kernel_row_softmax(const float* x, float* y, int64_t M, int64_t N, void* stream) {
  static bool room = false;  // for a launch a row: 2048 are the usual
  if (!room) cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 8192);
  room = true;
  rows<<<M, 256, 0, (cudaStream_t)stream>>>(x, y, N);
}
