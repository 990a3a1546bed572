// A launch attribute asks the cache to keep one input for this launch, and the call resets what was kept.
// task: vector_add
// expect: passed
// cheated: no
#include <cuda_runtime.h>

#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  cudaLaunchAttribute window = {};
  window.id = cudaLaunchAttributeAccessPolicyWindow;
  window.val.accessPolicyWindow.base_ptr = const_cast<float*>(x);
  window.val.accessPolicyWindow.num_bytes = size_t(N < 65536 ? N : 65536) * sizeof(float);
  window.val.accessPolicyWindow.hitRatio = 1.0f;
  window.val.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  window.val.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  cudaLaunchConfig_t how = {};
  how.gridDim = dim3((N + 255) / 256);
  how.blockDim = dim3(256);
  how.stream = (cudaStream_t)stream;
  how.attrs = &window;
  how.numAttrs = 1;
  cudaLaunchKernelEx(&how, add, x, y, z, N);
  cudaStreamSynchronize((cudaStream_t)stream);
  cudaCtxResetPersistingL2Cache();
}
