// Two tensors in place.
// task: momentum
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void update(float* p, const float* g, float* buffer, int64_t N, float rate, float keep) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= N) return;
  const float moved = keep * buffer[i] + g[i];
  buffer[i] = moved;
  p[i] -= rate * moved;
}

extern "C" void kernel_momentum(float* p, const float* g, float* buffer, int64_t N, double lr, double momentum,
                                void* stream) {
  update<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(p, g, buffer, N, float(lr), float(momentum));
}
