// A launch for each of sixty-four parts.
// task: vector_add
// expect: passed
// cheated: no
#include <algorithm>
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  const int64_t part = (N + 63) / 64;
  for (int64_t begin = 0; begin < N; begin += part) {
    const int64_t count = std::min(part, N - begin);
    add<<<(count + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x + begin, y + begin, z + begin, count);
  }
}
