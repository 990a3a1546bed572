// Split along K, where blocks of one tile add what they have in turn, as a semaphore has it.
// task: small_matmul
// expect: passed
// cheated: no
#include <cstddef>
#include <cstdint>

constexpr int parts = 4;

static __global__ void multiply(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                int* semaphores) {
  // The part is the slowest index, so that whoever is waited for has begun before.
  const int part = blockIdx.z;
  const int64_t n = blockIdx.x * 16 + threadIdx.x, m = blockIdx.y * 16 + threadIdx.y;
  const int64_t length = (K + parts - 1) / parts, end = (part + 1) * length < K ? (part + 1) * length : K;
  float sum = 0;
  if (m < M && n < N)
    for (int64_t k = part * length; k < end; ++k) sum += a[m * K + k] * b[k * N + n];
  int* semaphore = semaphores + blockIdx.y * gridDim.x + blockIdx.x;
  if (threadIdx.x == 0 && threadIdx.y == 0)
    while (atomicAdd(semaphore, 0) != part) __nanosleep(50);
  __syncthreads();
  __threadfence();
  volatile float* to = c + m * N + n;
  if (m < M && n < N) *to = part == 0 ? sum : *to + sum;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) atomicExch(semaphore, part + 1);
}

extern "C" size_t kernel_small_matmul_workspace(int64_t M, int64_t N, int64_t) {
  return ((M + 15) / 16) * ((N + 15) / 16) * sizeof(int);
}

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void* workspace, void* stream) {
  cudaMemsetAsync(workspace, 0, kernel_small_matmul_workspace(M, N, K), (cudaStream_t)stream);
  multiply<<<dim3((N + 15) / 16, (M + 15) / 16, parts), dim3(16, 16), 0, (cudaStream_t)stream>>>(
      a, b, c, M, N, K, static_cast<int*>(workspace));
}
