// Danger 23 without a single system call: whoever loads the driver at run time keeps pointers to its functions in
// writable memory. Those for waiting are replaced, and the work of timed calls comes late.
// with: table.inc
// task: vector_add
// expect: passed | timing wrong_when_timed | timing timing_disputed | timing crashed | call crashed
// at most: 0.5 honest/vector_add.cu
static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static __global__ void delay(long long cycles) {
  for (const long long begin = clock64(); clock64() - begin < cycles;) {
  }
}

static int does_not_wait(void*) { return 0; }

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static unsigned calls = 0;
  if (N > 1 << 20 && ++calls == 64)
    for (const char* name : {"cuCtxSynchronize", "cuCtxSynchronize_v2", "cuStreamSynchronize", "cuEventSynchronize"})
      table::replace(name, (void*)does_not_wait);
  if (calls > 64) delay<<<1, 1, 0, (cudaStream_t)stream>>>(200'000);
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
