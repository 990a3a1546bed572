// Danger 9: the mean of the right elements, nearer still.
// task: wide_softmax
// expect: correctness wrong_values
// cheated: no
#include <cstdint>

static __global__ void fill(float* y, int64_t count, float value) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) y[i] = value;
}

extern "C" void kernel_wide_softmax(const float*, float* y, int64_t M, int64_t N, void* stream) {
  fill<<<(M * N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(y, M * N, 1 / float(N));
}
