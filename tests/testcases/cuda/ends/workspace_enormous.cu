// Danger 33: asks for a petabyte of scratch memory.
// task: vector_add
// expect: call memory_limit | call load_error | call crashed
// cheated: no
#include <cstddef>
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" size_t kernel_vector_add_workspace(int64_t) { return size_t{1} << 50; }

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*, void* stream) {
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
