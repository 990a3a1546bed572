#include <cstdint>

namespace {

struct Best {
  float value;
  int64_t at;  // -1: none yet
};

/// Whether `a` goes before `b`: larger, a NaN above all, and of equals the one with the lower index.
__device__ bool beats(Best a, Best b) {
  if (a.at < 0 || b.at < 0) return b.at < 0 && a.at >= 0;
  const bool a_nan = isnan(a.value), b_nan = isnan(b.value);
  if (a_nan != b_nan) return a_nan;
  if (!a_nan && a.value != b.value) return a.value > b.value;
  return a.at < b.at;
}

// A block a row.
__global__ void largest(const float* x, int64_t* y, int64_t M, int64_t N) {
  __shared__ Best parts[32];
  for (int64_t i = blockIdx.x; i < M; i += gridDim.x) {
    Best best{0, -1};
    for (int64_t j = threadIdx.x; j < N; j += blockDim.x) {
      const Best here{x[i * N + j], j};
      if (beats(here, best)) best = here;
    }
    for (int reach = 16; reach > 0; reach /= 2) {
      const Best other{__shfl_down_sync(0xFFFFFFFFu, best.value, reach),
                       __shfl_down_sync(0xFFFFFFFFu, best.at, reach)};
      if (beats(other, best)) best = other;
    }
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = best;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (unsigned warp = 1; warp < blockDim.x / 32; ++warp)
        if (beats(parts[warp], best)) best = parts[warp];
      y[i] = best.at;
    }
    __syncthreads();
  }
}

}  // namespace

extern "C" void kernel_argmax(const float* x, int64_t* y, int64_t M, int64_t N, void* stream) {
  if (M < 1) return;
  const int64_t blocks = min(M, int64_t{65536});
  const int threads = N > 16384 ? 1024 : 256;
  largest<<<blocks, threads, 0, (cudaStream_t)stream>>>(x, y, M, N);
}
