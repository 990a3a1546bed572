// Reads an input through a linear texture object, made once an address and kept.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>
#include <map>
#include <utility>

static __global__ void add(cudaTextureObject_t x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = tex1Dfetch<float>(x, int(i)) + y[i];
}

static cudaTextureObject_t texture_over(const float* x, int64_t N) {
  static std::map<std::pair<const float*, int64_t>, cudaTextureObject_t> known;
  auto& texture = known[{x, N}];
  if (texture) return texture;
  cudaResourceDesc over{};
  over.resType = cudaResourceTypeLinear;
  over.res.linear.devPtr = const_cast<float*>(x);
  over.res.linear.desc = cudaCreateChannelDesc<float>();
  over.res.linear.sizeInBytes = N * sizeof(float);
  cudaTextureDesc read{};
  read.readMode = cudaReadModeElementType;
  cudaCreateTextureObject(&texture, &over, &read, nullptr);
  return texture;
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(texture_over(x, N), y, z, N);
}
