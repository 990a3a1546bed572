// Danger 25: events that the runner makes from now on hold no time.
// with: table.inc
// task: vector_add
// expect: passed | timing timing_disputed | timing crashed | timing exited | call crashed
// at most: 1.2 honest/vector_add.cu
static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static CUresult (*real)(CUevent*, unsigned);

static CUresult create_without(CUevent* event, unsigned flags) { return real(event, flags | CU_EVENT_DISABLE_TIMING); }

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  if (!real) {
    real = (decltype(real))table::find("cuEventCreate");
    table::replace("cuEventCreate", (void*)create_without);
  }
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
