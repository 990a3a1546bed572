// Three passes over a workspace: how many a chunk keeps, where it begins, the copies.
// task: compact
// expect: passed
// cheated: no
#include <cstddef>
#include <cstdint>

constexpr int threads = 1024;

/// The sum over the threads before this one; `total` becomes that over all.
static __device__ int64_t scan(int64_t mine, int64_t& total) {
  __shared__ int64_t shared[threads];
  shared[threadIdx.x] = mine;
  __syncthreads();
  for (int reach = 1; reach < threads; reach *= 2) {
    const int64_t before = threadIdx.x >= reach ? shared[threadIdx.x - reach] : 0;
    __syncthreads();
    shared[threadIdx.x] += before;
    __syncthreads();
  }
  total = shared[threads - 1];
  const int64_t here = shared[threadIdx.x] - mine;
  __syncthreads();
  return here;
}

static __global__ void count_chunks(const float* x, int64_t* starts, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * threads + threadIdx.x;
  const int kept = __syncthreads_count(i < N && x[i] > 0);
  if (threadIdx.x == 0) starts[blockIdx.x] = kept;
}

static __global__ void place_chunks(int64_t* starts, int64_t chunks, int64_t* count) {
  int64_t start = 0, total;
  for (int64_t first = 0; first < chunks; first += threads) {
    const int64_t at = first + threadIdx.x, before = scan(at < chunks ? starts[at] : 0, total);
    if (at < chunks) starts[at] = start + before;
    start += total;
  }
  if (threadIdx.x == 0) *count = start;
}

static __global__ void copy_chunks(const float* x, const int64_t* starts, float* y, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * threads + threadIdx.x;
  const bool kept = i < N && x[i] > 0;
  int64_t total;
  const int64_t to = starts[blockIdx.x] + scan(kept, total);
  if (kept) y[to] = x[i];
}

extern "C" size_t kernel_compact_workspace(int64_t N) { return (N + threads - 1) / threads * sizeof(int64_t); }

extern "C" void kernel_compact(const float* x, float* y, int64_t* count, int64_t N, void* workspace, void* stream) {
  auto* starts = static_cast<int64_t*>(workspace);
  const int64_t chunks = (N + threads - 1) / threads;
  count_chunks<<<chunks, threads, 0, (cudaStream_t)stream>>>(x, starts, N);
  place_chunks<<<1, threads, 0, (cudaStream_t)stream>>>(starts, chunks, count);
  copy_chunks<<<chunks, threads, 0, (cudaStream_t)stream>>>(x, starts, y, N);
}
