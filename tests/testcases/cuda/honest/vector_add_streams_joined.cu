// Two streams of its own, forked from the judge's and joined to it by events.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static cudaStream_t sides[2];
  static cudaEvent_t forked, joined[2];
  if (!forked) {
    cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);
    for (int s = 0; s < 2; ++s) {
      cudaStreamCreateWithFlags(&sides[s], cudaStreamNonBlocking);
      cudaEventCreateWithFlags(&joined[s], cudaEventDisableTiming);
    }
  }
  cudaEventRecord(forked, (cudaStream_t)stream);
  const int64_t half = N / 2, begin[] = {0, half}, count[] = {half, N - half};
  for (int s = 0; s < 2; ++s) {
    cudaStreamWaitEvent(sides[s], forked);
    add<<<(count[s] + 255) / 256, 256, 0, sides[s]>>>(x + begin[s], y + begin[s], z + begin[s], count[s]);
    cudaEventRecord(joined[s], sides[s]);
    cudaStreamWaitEvent((cudaStream_t)stream, joined[s]);
  }
}
