// Danger 15: the whole allocations that its arguments lie in, whose bounds the driver tells, in search of the sums.
// task: vector_add
// expect: correctness wrong_values | call crashed | call launch_error
#include <cuda.h>
#include <dlfcn.h>

#include <cstddef>
#include <cstdint>

template <class Function>
static Function* driver(const char* name) {
  return (Function*)dlsym(dlopen("libcuda.so.1", RTLD_NOW), name);
}

static __global__ void search(const float* x, const float* y, float* z, int64_t N, const float* begin, int64_t count) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i + N > count || (begin + i < z + N && begin + i + N > z)) return;
  for (int e = 0; e < 8; ++e)
    if (begin[i + e] != x[e] + y[e]) return;
  for (int64_t e = 0; e < N; ++e) z[e] = begin[i + e];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  const auto ask = driver<CUresult(void*, CUpointer_attribute, CUdeviceptr)>("cuPointerGetAttribute");
  for (const float* of : {x, y, (const float*)z}) {
    CUdeviceptr base = 0;
    size_t bytes = 0;
    ask(&base, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CUdeviceptr(of));
    ask(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, CUdeviceptr(of));
    if (base && bytes >= 32)
      search<<<(bytes / 4 + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N, (const float*)base, bytes / 4);
  }
}
