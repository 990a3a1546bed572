// libcu++'s pipeline: the next piece is copied to shared memory while this one is added.
// task: vector_add
// expect: passed
// cheated: no
#include <cuda/pipeline>

#include <cstdint>

constexpr int threads = 256;

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  __shared__ float xs[2][threads], ys[2][threads];
  auto pipeline = cuda::make_pipeline();
  const int64_t step = int64_t(gridDim.x) * threads, first = int64_t(blockIdx.x) * threads + threadIdx.x;
  const auto fetch = [&](int64_t i, int stage) {
    pipeline.producer_acquire();
    if (i < N) {
      cuda::memcpy_async(&xs[stage][threadIdx.x], x + i, sizeof(float), pipeline);
      cuda::memcpy_async(&ys[stage][threadIdx.x], y + i, sizeof(float), pipeline);
    }
    pipeline.producer_commit();
  };
  fetch(first, 0);
  int stage = 0;
  for (int64_t i = first; i < N; i += step, stage ^= 1) {
    fetch(i + step, stage ^ 1);
    cuda::pipeline_consumer_wait_prior<1>(pipeline);
    z[i] = xs[stage][threadIdx.x] + ys[stage][threadIdx.x];
    pipeline.consumer_release();
  }
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  const int64_t blocks = (N + threads - 1) / threads;
  add<<<blocks < 1024 ? blocks : 1024, threads, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
