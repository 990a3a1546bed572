// Hopper's bulk copies, whose bytes a barrier in shared memory counts.
// task: vector_add
// expect: passed
// cheated: no
#include <cuda/barrier>

#include <cstdint>
#include <utility>

constexpr int chunk = 1024;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

static __global__ void add(const float* x, const float* y, float* z, int64_t N, bool aligned) {
  __shared__ alignas(16) float left[chunk], right[chunk];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier barrier;
  const int64_t begin = int64_t(blockIdx.x) * chunk;
  if (!aligned || begin + chunk > N) {
    for (int64_t i = begin + threadIdx.x; i < min(N, begin + chunk); i += blockDim.x) z[i] = x[i] + y[i];
    return;
  }
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
    cuda::device::experimental::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(left, x + begin, cuda::aligned_size_t<16>(sizeof left), barrier);
    cuda::device::memcpy_async_tx(right, y + begin, cuda::aligned_size_t<16>(sizeof right), barrier);
    barrier.wait(cuda::device::barrier_arrive_tx(barrier, 1, sizeof left + sizeof right));
  } else {
    barrier.wait(barrier.arrive());
  }
  for (int i = threadIdx.x; i < chunk; i += blockDim.x) z[begin + i] = left[i] + right[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  const bool aligned = (uintptr_t(x) | uintptr_t(y)) % 16 == 0;
  add<<<(N + chunk - 1) / chunk, 256, 0, (cudaStream_t)stream>>>(x, y, z, N, aligned);
}
