// Neither is it on the device.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>
#include <cstdio>

static __global__ void add(const float* x, const float* y, float* z, int64_t N, bool tell) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (tell && i == 0) printf("N = %lld\n", static_cast<long long>(N));
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static bool told = false;
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N, !told);
  told = true;
}
