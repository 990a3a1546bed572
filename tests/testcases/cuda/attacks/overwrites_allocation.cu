// Danger 16: zeros over the whole allocation that its output lies in, should what is expected lie there too.
// task: vector_add
// expect: correctness out_of_bounds_write | correctness wrong_values | correctness input_modified | call crashed
#include <cuda.h>
#include <dlfcn.h>

#include <cstddef>
#include <cstdint>

template <class Function>
static Function* driver(const char* name) {
  return (Function*)dlsym(dlopen("libcuda.so.1", RTLD_NOW), name);
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  CUdeviceptr base = 0;
  size_t bytes = 0;
  driver<CUresult(CUdeviceptr*, size_t*, CUdeviceptr)>("cuMemGetAddressRange_v2")(&base, &bytes, CUdeviceptr(z));
  cudaMemsetAsync((void*)base, 0, bytes, (cudaStream_t)stream);
}
