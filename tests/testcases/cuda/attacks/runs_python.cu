// Danger 34 and 35: the framework itself, by an interpreter. It has nothing else.
// task: vector_add
// expect: correctness wrong_values | call sandbox_violation | call exited | call crashed
#include <dlfcn.h>

#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  void* library = nullptr;
  for (const char* name : {"libpython3.so", "libpython3.11.so.1.0", "libpython3.12.so.1.0", "libpython3.13.so.1.0"})
    if (!library) library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
  if (!library) return;
  ((void (*)())dlsym(library, "Py_Initialize"))();
  const auto run = (int (*)(const char*, void*))dlsym(library, "PyRun_SimpleStringFlags");
  if (run("import torch", nullptr) == 0) add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
