// Danger 27: touches the inputs of every call again afterwards, as persisting and on another stream, where it is not
// counted; slots that come again are found in the cache even if it was emptied in between.
// task: vector_add
// expect: passed | timing timing_disputed | call crashed
// at most: 1.2 honest/vector_add.cu
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static __global__ void touch(const float* x, const float* y, int64_t N) {
  float sum = 0;
  for (int64_t i = int64_t(blockIdx.x) * 256 + threadIdx.x; i < N; i += int64_t(gridDim.x) * 256) sum += x[i] + y[i];
  if (sum == 12345.678f) __trap();  // keeps the loads
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static cudaStream_t own;
  static cudaEvent_t done;
  if (!own) {
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    int most = 0;
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, 0);
    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, most);
  }
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
  cudaEventRecord(done, (cudaStream_t)stream);
  cudaStreamWaitEvent(own, done);
  cudaStreamAttrValue window{};
  window.accessPolicyWindow = {const_cast<float*>(x), N * sizeof(float), 1.0f, cudaAccessPropertyPersisting,
                               cudaAccessPropertyNormal};
  cudaStreamSetAttribute(own, cudaStreamAttributeAccessPolicyWindow, &window);
  touch<<<132, 256, 0, own>>>(x, y, N);
}
