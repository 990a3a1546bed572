// Danger 33: eight gigabytes more in every call, and nothing done once there are none: after twenty calls of the largest
// card. (One a call was too little: such calls are slow, so that few are made.)
// task: vector_add
// expect: call memory_limit | timing memory_limit | timing wrong_when_timed | correctness wrong_values | call crashed | timing crashed
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  float* scratch;
  if (cudaMalloc(&scratch, size_t(8) << 30) == cudaSuccess) add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
  cudaGetLastError();
}
