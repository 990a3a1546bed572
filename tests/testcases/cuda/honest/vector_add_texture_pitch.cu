// Reads an input as rows of 512 through a two-dimensional texture object that lives for one call.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

constexpr int64_t width = 512;

static __global__ void add(cudaTextureObject_t rows, int64_t whole, const float* x, const float* y, float* z,
                           int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= N) return;
  z[i] = (i < whole ? tex2D<float>(rows, float(i % width) + 0.5f, float(i / width) + 0.5f) : x[i]) + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  const int64_t height = N / width;
  cudaTextureObject_t rows = 0;
  if (height > 0) {
    cudaResourceDesc over{};
    over.resType = cudaResourceTypePitch2D;
    over.res.pitch2D.devPtr = const_cast<float*>(x);
    over.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    over.res.pitch2D.width = width;
    over.res.pitch2D.height = height;
    over.res.pitch2D.pitchInBytes = width * sizeof(float);
    cudaTextureDesc read{};
    read.addressMode[0] = read.addressMode[1] = cudaAddressModeClamp;
    read.filterMode = cudaFilterModePoint;
    read.readMode = cudaReadModeElementType;
    cudaCreateTextureObject(&rows, &over, &read, nullptr);
  }
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(rows, height * width, x, y, z, N);
  if (rows) {
    cudaStreamSynchronize((cudaStream_t)stream);
    cudaDestroyTextureObject(rows);
  }
}
