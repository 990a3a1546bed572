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

__global__ void sum_powers(const float* s, const float* q, float* y, int64_t N) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < N; i += step)
    y[i] = float(zeta(s[i], q[i]));
}

}  // namespace

extern "C" void kernel_zeta(const float* s, const float* q, float* y, int64_t N, void* stream) {
  if (N < 1) return;
  const int64_t blocks = min((N + 255) / 256, int64_t{65536});
  sum_powers<<<blocks, 256, 0, (cudaStream_t)stream>>>(s, q, y, N);
}
