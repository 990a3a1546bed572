// Danger 20: lets the next call start when this one does, and waits for nothing that lies ahead of it in the stream:
// calls overlap, and inputs are perhaps read before they are there.
// task: vector_add
// expect: passed | correctness wrong_values | timing wrong_when_timed | timing timing_disputed
// at most: 1.3 honest/vector_add.cu
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  cudaTriggerProgrammaticLaunchCompletion();
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t launch{};
  launch.gridDim = dim3((N + 255) / 256);
  launch.blockDim = dim3(256);
  launch.stream = (cudaStream_t)stream;
  launch.attrs = &early;
  launch.numAttrs = 1;
  cudaLaunchKernelEx(&launch, add, x, y, z, N);
}
