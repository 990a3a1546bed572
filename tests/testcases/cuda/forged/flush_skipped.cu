// Danger 27: what the runner launches and copies between timed calls to empty the cache, left out.
// with: table.inc
// task: vector_add
// expect: passed | timing timing_disputed | timing wrong_when_timed | timing input_modified | timing crashed | call crashed | correctness wrong_values
// at most: 1.2 honest/vector_add.cu
static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static int nothing() { return 0; }

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static unsigned calls = 0;
  if (N > 1 << 20 && ++calls == 64)
    for (const char* name : {"cuMemsetD32Async", "cuMemsetD8Async", "cuMemsetD32_v2", "cuMemsetD8_v2", "cuLaunchKernel",
                             "cuMemcpyDtoDAsync_v2", "cuMemcpyAsync", "cuCtxResetPersistingL2Cache"})
      table::replace(name, (void*)nothing);
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
