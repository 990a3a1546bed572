// Danger 1 and 8: three addresses seen before, so the result must still lie there: nothing is done. Addresses that
// never come again leave it nothing.
// task: vector_add
// expect: correctness wrong_values | timing wrong_when_timed | passed
// at most: 1.2 honest/vector_add.cu
#include <cstdint>
#include <set>
#include <tuple>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static std::set<std::tuple<const float*, const float*, float*, int64_t>> seen;
  if (!seen.insert({x, y, z, N}).second) return;
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
