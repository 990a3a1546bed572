// Danger 15 and 16: takes handles of the judge's memory to hand on, and asks for those of others. What it gets is of
// no use to it; right only where it could.
// task: vector_add
// expect: correctness wrong_values | call sandbox_violation | call crashed
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static cudaIpcMemHandle_t handle;
  void* other = nullptr;
  const bool exported = cudaIpcGetMemHandle(&handle, z) == cudaSuccess;
  handle.reserved[0] ^= 1;  // somebody else's, with luck
  const bool opened = cudaIpcOpenMemHandle(&other, handle, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess;
  cudaGetLastError();
  if (exported && opened) add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
