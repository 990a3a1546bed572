// Virtual functions on the device, of objects that are made there.
// task: row_mean
// expect: passed
// cheated: no
#include <cstdint>

struct Reduction {
  __device__ virtual float joined(float left, float right) const = 0;
  __device__ virtual float finished(float value, int64_t N) const { return value; }
};
struct Mean : Reduction {
  __device__ float joined(float left, float right) const override { return left + right; }
  __device__ float finished(float value, int64_t N) const override { return value / float(N); }
};
struct Maximum : Reduction {
  __device__ float joined(float left, float right) const override { return fmaxf(left, right); }
};

static __global__ void reduce(const float* x, float* y, int64_t N, bool mean) {
  const Mean a;
  const Maximum b;
  const Reduction& reduction = mean ? static_cast<const Reduction&>(a) : b;
  __shared__ float shared[256];
  x += int64_t(blockIdx.x) * N;
  float value = threadIdx.x < N ? x[threadIdx.x] : mean ? 0.0f : -INFINITY;
  for (int64_t j = threadIdx.x + 256; j < N; j += 256) value = reduction.joined(value, x[j]);
  shared[threadIdx.x] = value;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      shared[threadIdx.x] = reduction.joined(shared[threadIdx.x], shared[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) y[blockIdx.x] = reduction.finished(shared[0], N);
}

extern "C" void kernel_row_mean(const float* x, float* y, int64_t M, int64_t N, void* stream) {
  reduce<<<M, 256, 0, (cudaStream_t)stream>>>(x, y, N, true);
}
