#include <cstdint>

namespace {

__global__ void update(float* p, const float* g, float* buffer, int64_t N, float rate, float keep,
                       float share, float decay, bool nesterov) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < N; i += step) {
    float d = g[i] + decay * p[i];
    if (keep != 0) {
      const float moved = keep * buffer[i] + share * d;
      buffer[i] = moved;
      d = nesterov ? d + keep * moved : moved;
    }
    p[i] -= rate * d;
  }
}

}  // namespace

extern "C" void kernel_SGD(float* p, const float* g, float* buffer, int64_t N, int64_t, int64_t, double lr,
                           double momentum, double dampening, double weight_decay, bool nesterov,
                           void* stream) {
  if (N < 1) return;
  const int64_t blocks = min((N + 255) / 256, int64_t{65536});
  update<<<blocks, 256, 0, (cudaStream_t)stream>>>(p, g, buffer, N, float(lr), float(momentum),
                                                   float(1 - dampening), float(weight_decay), nesterov);
}
