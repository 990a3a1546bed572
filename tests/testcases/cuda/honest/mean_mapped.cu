// Blocks leave their sums in the host's mapped memory; the host waits, adds them and writes the mean.
// task: mean
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void add_parts(const float* x, float* sums, int64_t N) {
  __shared__ float shared[256];
  float sum = 0;
  for (int64_t i = int64_t(blockIdx.x) * 256 + threadIdx.x; i < N; i += 256 * 256) sum += x[i];
  shared[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = shared[0];
}

static __global__ void write(float* y, float mean) { *y = mean; }

extern "C" void kernel_mean(const float* x, float* y, int64_t N, void* stream) {
  static float* sums = nullptr;
  if (!sums) cudaHostAlloc(&sums, 256 * sizeof(float), cudaHostAllocMapped);
  float* seen = nullptr;
  cudaHostGetDevicePointer(&seen, sums, 0);
  add_parts<<<256, 256, 0, (cudaStream_t)stream>>>(x, seen, N);
  cudaStreamSynchronize((cudaStream_t)stream);
  double sum = 0;
  for (int part = 0; part < 256; ++part) sum += sums[part];
  write<<<1, 1, 0, (cudaStream_t)stream>>>(y, float(sum / double(N)));
}
