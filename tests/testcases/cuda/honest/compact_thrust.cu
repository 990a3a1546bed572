// By thrust on the judge's stream, which allocates for itself and tells the host how many there are.
// task: compact
// expect: passed
// cheated: no
#include <thrust/copy.h>
#include <thrust/execution_policy.h>

#include <cstdint>

struct Positive {
  __host__ __device__ bool operator()(float value) const { return value > 0; }
};

static __global__ void write(int64_t* count, int64_t kept) { *count = kept; }

extern "C" void kernel_compact(const float* x, float* y, int64_t* count, int64_t N, void* stream) {
  const float* end = thrust::copy_if(thrust::cuda::par.on((cudaStream_t)stream), x, x + N, y, Positive{});
  write<<<1, 1, 0, (cudaStream_t)stream>>>(count, end - y);
}
