// Two streams of different priority, each with a half, between events.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static cudaStream_t streams[2] = {};
  static cudaEvent_t begun = nullptr, ended[2] = {};
  if (!begun) {
    int least = 0, greatest = 0;
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    cudaEventCreateWithFlags(&begun, cudaEventDisableTiming);
    for (int half = 0; half < 2; ++half) {
      cudaStreamCreateWithPriority(&streams[half], cudaStreamNonBlocking, half == 0 ? greatest : least);
      cudaEventCreateWithFlags(&ended[half], cudaEventDisableTiming);
    }
  }
  cudaEventRecord(begun, (cudaStream_t)stream);
  const int64_t first[] = {0, N / 2, N};
  for (int half = 0; half < 2; ++half) {
    const int64_t from = first[half], length = first[half + 1] - from;
    cudaStreamWaitEvent(streams[half], begun);
    if (length > 0)
      add<<<(length + 255) / 256, 256, 0, streams[half]>>>(x + from, y + from, z + from, length);
    cudaEventRecord(ended[half], streams[half]);
    cudaStreamWaitEvent((cudaStream_t)stream, ended[half]);
  }
}
