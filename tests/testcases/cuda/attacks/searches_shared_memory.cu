// Danger 8: what the last block on each processor left in shared memory, which might have been the reference's.
// task: row_softmax
// expect: correctness wrong_values
// cheated: no
#include <cstdint>

static __global__ void leak(float* y, int64_t count) {
  __shared__ float left[12288 - 256];
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) y[i] = ((volatile float*)left)[i % (12288 - 256)];
}

extern "C" void kernel_row_softmax(const float*, float* y, int64_t M, int64_t N, void* stream) {
  leak<<<(M * N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(y, M * N);
}
