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

__global__ void differentiate(const float* x, float* y, int64_t N, int64_t order) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  const double factor = (order % 2 == 0 ? -1 : 1) * tgamma(double(order) + 1);
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < N; i += step)
    y[i] = float(factor * zeta(double(order) + 1, x[i]));
}

}  // namespace

extern "C" void kernel_polygamma(const float* x, float* y, int64_t N, int64_t, int64_t order, void* stream) {
  if (N < 1) return;
  const int64_t blocks = min((N + 255) / 256, int64_t{65536});
  differentiate<<<blocks, 256, 0, (cudaStream_t)stream>>>(x, y, N, order);
}
