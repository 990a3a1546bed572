// A list of pieces as an argument of the launch, as fused optimizers have them.
// task: momentum
// expect: passed
// cheated: no
#include <cstdint>

struct Pieces {
  float *p[16], *buffer[16];
  const float* g[16];
  int64_t length[16];
};

static __global__ void update(const __grid_constant__ Pieces pieces, float rate, float keep) {
  const int which = blockIdx.y;
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < pieces.length[which]; i += step) {
    const float moved = keep * pieces.buffer[which][i] + pieces.g[which][i];
    pieces.buffer[which][i] = moved;
    pieces.p[which][i] -= rate * moved;
  }
}

extern "C" void kernel_momentum(float* p, const float* g, float* buffer, int64_t N, double lr,
                                double momentum, void* stream) {
  Pieces pieces = {};
  for (int which = 0; which < 16; ++which) {
    const int64_t at = N * which / 16;
    pieces.p[which] = p + at;
    pieces.g[which] = g + at;
    pieces.buffer[which] = buffer + at;
    pieces.length[which] = N * (which + 1) / 16 - at;
  }
  update<<<dim3(64, 16), 256, 0, (cudaStream_t)stream>>>(pieces, float(lr), float(momentum));
}
