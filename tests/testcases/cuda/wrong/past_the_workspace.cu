// Danger 19: beyond the scratch memory that it asked for.
// task: vector_add
// expect: correctness out_of_bounds_write | call launch_error
// cheated: no
#include <cstddef>
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, float* sum, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = sum[i] = x[i] + y[i];
  if (i == N) sum[i] = 0;
}

extern "C" size_t kernel_vector_add_workspace(int64_t N) { return N * sizeof(float); }

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* workspace, void* stream) {
  add<<<N / 256 + 1, 256, 0, (cudaStream_t)stream>>>(x, y, z, static_cast<float*>(workspace), N);
}
