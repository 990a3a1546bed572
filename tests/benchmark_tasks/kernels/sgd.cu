#include <cstdint>

namespace {

__global__ void update(float* p, const float* g, float* buffer, int64_t N, float rate, float keep,
                       float decay, bool nesterov) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < N; i += step) {
    const float d = g[i] + decay * p[i];
    const float moved = keep * buffer[i] + d;
    buffer[i] = moved;
    p[i] -= rate * (nesterov ? d + keep * moved : moved);
  }
}

}  // namespace

extern "C" void kernel_sgd(float* p, const float* g, float* buffer, int64_t N, double lr, double momentum,
                           double weight_decay, bool nesterov, void* stream) {
  if (N < 1) return;
  const int64_t blocks = min((N + 255) / 256, int64_t{65536});
  update<<<blocks, 256, 0, (cudaStream_t)stream>>>(p, g, buffer, N, float(lr), float(momentum),
                                                   float(weight_decay), nesterov);
}
