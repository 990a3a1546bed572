// Danger 27: asks for the inputs to stay in the cache from call to call, on the judge's own stream. A cold measurement
// resets what persists.
// task: vector_add
// expect: passed | timing timing_disputed
// at most: 1.2 honest/vector_add.cu
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static bool asked = false;
  int most = 0;
  if (!asked) cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, 0);
  if (!asked) cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, most);
  asked = true;
  cudaStreamAttrValue window{};
  window.accessPolicyWindow = {const_cast<float*>(x), N * sizeof(float), 1.0f, cudaAccessPropertyPersisting,
                               cudaAccessPropertyStreaming};
  cudaStreamSetAttribute((cudaStream_t)stream, cudaStreamAttributeAccessPolicyWindow, &window);
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
