// Picks a function on the device by a pointer to it.
// task: near_identity
// expect: passed
// cheated: no
#include <cstdint>

using Function = float (*)(float);

static __device__ __noinline__ float same(float value) { return value; }
static __device__ __noinline__ float bent(float value) { return value + 0.0005f * value * value * value; }
static __device__ Function functions[] = {same, bent};

static __global__ void apply(const float* x, float* y, int64_t N, int which) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) y[i] = functions[which](x[i]);
}

extern "C" void kernel_near_identity(const float* x, float* y, int64_t N, void* stream) {
  apply<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, N, 1);
}
