// Copies an input to a CUDA array, and reads it there by a texture object.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

constexpr int64_t width = 1024, most_rows = 8192;

static __global__ void add(cudaTextureObject_t array, const float* x, const float* y, float* z, int64_t N,
                           int64_t whole) {
  const int64_t i = int64_t(blockIdx.x) * 256 + threadIdx.x;
  if (i < N) z[i] = (i < whole ? tex2D<float>(array, float(i % width), float(i / width)) : x[i]) + y[i];
}

/// Whole rows go through the array, and what is left over does not.
extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  const int64_t rows = N / width < most_rows ? N / width : most_rows;
  cudaArray_t array = nullptr;
  const auto format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, width, rows > 0 ? rows : 1, cudaArrayDefault);
  cudaResourceDesc what = {};
  what.resType = cudaResourceTypeArray;
  what.res.array.array = array;
  cudaTextureDesc how = {};
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t object = 0;
  cudaCreateTextureObject(&object, &what, &how, nullptr);
  if (rows > 0)
    cudaMemcpy2DToArrayAsync(array, 0, 0, x, width * sizeof(float), width * sizeof(float), rows,
                             cudaMemcpyDeviceToDevice, (cudaStream_t)stream);
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(object, x, y, z, N, rows * width);

  cudaStreamSynchronize((cudaStream_t)stream);
  cudaDestroyTextureObject(object);
  cudaFreeArray(array);
}
