// Puts memory of its own where the output was: nothing of what it writes arrives.
// task: vector_add
// expect: correctness wrong_values | call crashed | call sandbox_violation
#include <cuda.h>
#include <dlfcn.h>

#include <cstddef>
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

template <class Function>
static Function* driver(const char* name) {
  return (Function*)dlsym(dlopen("libcuda.so.1", RTLD_NOW), name);
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  CUdeviceptr base = 0;
  size_t bytes = 0;
  CUmemAllocationProp property{};
  property.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  property.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  const CUmemAccessDesc access{property.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CUmemGenericAllocationHandle own;
  using Range = CUresult(CUdeviceptr*, size_t*, CUdeviceptr);
  using Create = CUresult(CUmemGenericAllocationHandle*, size_t, const CUmemAllocationProp*, unsigned long long);
  using Map = CUresult(CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle, unsigned long long);
  using Grant = CUresult(CUdeviceptr, size_t, const CUmemAccessDesc*, size_t);
  if (driver<Range>("cuMemGetAddressRange_v2")(&base, &bytes, CUdeviceptr(z)) ||
      driver<CUresult(CUdeviceptr, size_t)>("cuMemUnmap")(base, bytes) ||
      driver<Create>("cuMemCreate")(&own, bytes, &property, 0) || driver<Map>("cuMemMap")(base, bytes, 0, own, 0) ||
      driver<Grant>("cuMemSetAccess")(base, bytes, &access, 1))
    return;
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
