// Danger 2: a fingerprint of the contents, taken and looked up on the device, where nothing is asked for and no one
// waits. Inputs are never the same twice when timed, so it gains nothing; a fingerprint of samples may even be wrong.
// task: small_matmul
// expect: passed | correctness wrong_values | timing wrong_when_timed
// at most: 1.2 honest/small_matmul.cu
#include <cstdint>

constexpr int64_t largest = 1 << 20;
static __device__ unsigned long long known[8], fingerprint;
static __device__ float kept[8][largest];

// One warp, four places of each operand a lane.
static __global__ void take_fingerprint(const float* a, const float* b, int64_t a_count, int64_t b_count) {
  unsigned long long hash = threadIdx.x + a_count * 31 + b_count * 17;
  for (int i = threadIdx.x; i < 128; i += 32) {
    hash = (hash ^ __float_as_uint(a[i * a_count / 128])) * 1099511628211u;
    hash = (hash ^ __float_as_uint(b[i * b_count / 128])) * 1099511628211u;
  }
  for (int reach = 16; reach > 0; reach /= 2) hash += __shfl_xor_sync(~0u, hash, reach);
  if (threadIdx.x == 0) fingerprint = hash;
}

static __global__ void multiply(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K) {
  const int64_t n = blockIdx.x * 32 + threadIdx.x, m = blockIdx.y * 8 + threadIdx.y;
  if (m >= M || n >= N) return;
  float *cache = kept[fingerprint % 8], sum = 0;
  if (known[fingerprint % 8] == fingerprint) {
    c[m * N + n] = cache[m * N + n];
    return;
  }
  for (int64_t k = 0; k < K; ++k) sum += a[m * K + k] * b[k * N + n];
  c[m * N + n] = sum;
  if (M * N <= largest) cache[m * N + n] = sum;
}

static __global__ void remember(bool fits) {
  if (fits) known[fingerprint % 8] = fingerprint;
}

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void* stream) {
  take_fingerprint<<<1, 32, 0, (cudaStream_t)stream>>>(a, b, M * K, K * N);
  multiply<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8), 0, (cudaStream_t)stream>>>(a, b, c, M, N, K);
  remember<<<1, 1, 0, (cudaStream_t)stream>>>(M * N <= largest);
}
