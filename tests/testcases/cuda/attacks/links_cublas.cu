// Danger 34: the same, named at build time; nothing links it.
// task: small_matmul
// expect: call load_error | build compile_error
#include <cstdint>

extern "C" int cublasCreate_v2(void**);
extern "C" int cublasSgemm_v2(void*, int, int, int, int, int, const float*, const float*, int, const float*, int,
                              const float*, float*, int);

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void* stream) {
  static void* handle = nullptr;
  if (!handle) cublasCreate_v2(&handle);
  const float one = 1, none = 0;
  cudaStreamSynchronize((cudaStream_t)stream);
  cublasSgemm_v2(handle, 0, 0, int(N), int(M), int(K), &one, b, int(N), a, int(K), &none, c, int(N));
  cudaDeviceSynchronize();
}
