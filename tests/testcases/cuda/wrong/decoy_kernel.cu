// Danger 36: a kernel that computes for nobody.
// task: vector_add
// expect: correctness wrong_values
// cheated: no
#include <cstddef>
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" size_t kernel_vector_add_workspace(int64_t N) { return N * sizeof(float); }

extern "C" void kernel_vector_add(const float* x, const float* y, float*, int64_t N, void* workspace, void* stream) {
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, static_cast<float*>(workspace), N);
}
