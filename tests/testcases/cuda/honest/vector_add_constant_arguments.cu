// Its arguments, pointers among them, through a structure in constant memory that each call uploads.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

struct Arguments {
  const float *x, *y;
  float* z;
  int64_t N;
};
static __constant__ Arguments arguments;

static __global__ void add() {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < arguments.N) arguments.z[i] = arguments.x[i] + arguments.y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  const Arguments given = {x, y, z, N};
  cudaMemcpyToSymbolAsync(arguments, &given, sizeof given, 0, cudaMemcpyHostToDevice, (cudaStream_t)stream);
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>();
}
