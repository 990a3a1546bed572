// Danger 24: the runner's events are recorded on an idle stream of the candidate's, so that nothing lies between them.
// with: table.inc
// task: vector_add
// expect: passed | timing timing_disputed | timing wrong_when_timed | call crashed | correctness wrong_values
// at most: 1.2 honest/vector_add.cu
static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static CUresult (*real)(CUevent, CUstream);
static cudaStream_t idle;

static CUresult record_elsewhere(CUevent event, CUstream) { return real(event, idle); }

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  if (!idle) {
    cudaStreamCreateWithFlags(&idle, cudaStreamNonBlocking);
    real = (decltype(real))table::find("cuEventRecord");
    table::replace("cuEventRecord", (void*)record_elsewhere);
  }
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
