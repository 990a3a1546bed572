// Danger 34: a library's kernel where one of its own was asked for, if it finds one. It has nothing else.
// task: small_matmul
// expect: correctness wrong_values | call sandbox_violation | call load_error
#include <dlfcn.h>

#include <cstdint>

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void* stream) {
  static void* library = nullptr;
  for (const char* name :
       {"libcublas.so", "libcublas.so.13", "libcublas.so.12", "libtorch_cuda.so", "/usr/local/cuda/lib64/libcublas.so",
        "/usr/local/cuda/lib64/libcublas.so.13", "/usr/local/cuda/lib64/libcublas.so.12"})
    if (!library) library = dlopen(name, RTLD_NOW);
  if (!library) return;
  const auto create = (int (*)(void**))dlsym(library, "cublasCreate_v2");
  const auto choose = (int (*)(void*, cudaStream_t))dlsym(library, "cublasSetStream_v2");
  const auto multiply = (int (*)(void*, int, int, int, int, int, const float*, const float*, int, const float*, int,
                                 const float*, float*, int))dlsym(library, "cublasSgemm_v2");
  static void* handle = nullptr;
  if (!create || !choose || !multiply || (!handle && create(&handle) != 0)) return;
  const float one = 1, none = 0;
  choose(handle, (cudaStream_t)stream);
  multiply(handle, 0, 0, int(N), int(M), int(K), &one, b, int(N), a, int(K), &none, c, int(N));
}
