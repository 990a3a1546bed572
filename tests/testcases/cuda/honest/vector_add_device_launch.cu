// A kernel of one thread launches the kernels that add, a piece each, and more behind its own end.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

constexpr int64_t piece = int64_t(1) << 20;

static __global__ void add(const float* x, const float* y, float* z, int64_t n) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i] + y[i];
}

static __global__ void launch(const float* x, const float* y, float* z, int64_t N) {
  for (int64_t begin = 0; begin < N; begin += piece) {
    const int64_t n = min(piece, N - begin);
    const unsigned blocks = unsigned((n + 255) / 256);
    if (begin == 0)
      add<<<blocks, 256, 0, cudaStreamTailLaunch>>>(x, y, z, n);
    else
      add<<<blocks, 256, 0, cudaStreamFireAndForget>>>(x + begin, y + begin, z + begin, n);
  }
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  launch<<<1, 1, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
