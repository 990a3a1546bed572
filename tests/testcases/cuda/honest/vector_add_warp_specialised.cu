// One warp loads and three add, with named barriers between them.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

constexpr int piece = 96;

template <int barrier>
static __device__ void arrive() {
  asm volatile("bar.arrive %0, 128;" ::"n"(barrier) : "memory");
}
template <int barrier>
static __device__ void wait() {
  asm volatile("bar.sync %0, 128;" ::"n"(barrier) : "memory");
}

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  __shared__ float xs[piece], ys[piece];
  const bool loads = threadIdx.x < 32;
  for (int64_t first = int64_t(blockIdx.x) * piece; first < N; first += int64_t(gridDim.x) * piece) {
    if (loads) {
      for (int at = threadIdx.x; at < piece && first + at < N; at += 32) {
        xs[at] = x[first + at];
        ys[at] = y[first + at];
      }
      __threadfence_block();
      arrive<1>();
      wait<2>();
    } else {
      wait<1>();
      const int at = threadIdx.x - 32;
      if (first + at < N) z[first + at] = xs[at] + ys[at];
      arrive<2>();
    }
  }
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  const int64_t blocks = (N + piece - 1) / piece;
  add<<<blocks < 2048 ? blocks : 2048, 128, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
