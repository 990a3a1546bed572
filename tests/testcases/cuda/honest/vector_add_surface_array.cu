// Writes its sums to a CUDA array through a surface object, and copies them from there.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

constexpr int64_t width = 1024, most_rows = 8192;

static __global__ void add(cudaSurfaceObject_t array, const float* x, const float* y, float* z, int64_t N,
                           int64_t whole) {
  const int64_t i = int64_t(blockIdx.x) * 256 + threadIdx.x;
  if (i >= N) return;
  const float sum = x[i] + y[i];
  if (i < whole)
    surf2Dwrite(sum, array, int(i % width * sizeof(float)), int(i / width));
  else
    z[i] = sum;
}

/// Whole rows go through the array, and what is left over does not.
extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  const int64_t rows = N / width < most_rows ? N / width : most_rows;
  cudaArray_t array = nullptr;
  const auto format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, width, rows > 0 ? rows : 1, cudaArraySurfaceLoadStore);
  cudaResourceDesc what = {};
  what.resType = cudaResourceTypeArray;
  what.res.array.array = array;
  cudaSurfaceObject_t object = 0;
  cudaCreateSurfaceObject(&object, &what);

  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(object, x, y, z, N, rows * width);
  if (rows > 0)
    cudaMemcpy2DFromArrayAsync(z, width * sizeof(float), array, 0, 0, width * sizeof(float), rows,
                               cudaMemcpyDeviceToDevice, (cudaStream_t)stream);
  cudaStreamSynchronize((cudaStream_t)stream);
  cudaDestroySurfaceObject(object);
  cudaFreeArray(array);
}
