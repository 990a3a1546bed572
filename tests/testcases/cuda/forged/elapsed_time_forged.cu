// Danger 23 and 24: the runner's own figures, by a function of the driver's that reports a tenth.
// with: table.inc
// task: vector_add
// expect: passed | timing timing_disputed | call crashed
// at most: 1.2 honest/vector_add.cu
static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static CUresult (*real)(float*, CUevent, CUevent);

static CUresult a_tenth(float* milliseconds, CUevent begin, CUevent end) {
  const CUresult result = real(milliseconds, begin, end);
  *milliseconds *= 0.1f;
  return result;
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static bool done = false;
  if (!done) {
    real = (decltype(real))table::find("cuEventElapsedTime");
    table::replace("cuEventElapsedTime", (void*)a_tenth);
    table::replace("cuEventElapsedTime_v2", (void*)a_tenth);
  }
  done = true;
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
