#include <cstddef>
#include <cstdint>

// Three passes: how many each chunk selects, where each chunk's output begins, and the output.

namespace {

constexpr int threads = 256, each = 8, chunk = threads * each;

int64_t chunks_of(int64_t N) {
  return (N + chunk - 1) / chunk;
}

/// The sum over the threads before this one; `total` becomes that over all.
__device__ int64_t scan(int64_t mine, int64_t* shared, int64_t& total) {
  shared[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned reach = 1; reach < blockDim.x; reach *= 2) {
    const int64_t before = threadIdx.x >= reach ? shared[threadIdx.x - reach] : 0;
    __syncthreads();
    shared[threadIdx.x] += before;
    __syncthreads();
  }
  total = shared[blockDim.x - 1];
  const int64_t here = shared[threadIdx.x] - mine;
  __syncthreads();
  return here;
}

__device__ int selected_by(const uint8_t* mask, int64_t first, int64_t N) {
  int selected = 0;
  for (int64_t i = first; i < first + each && i < N; ++i) selected += mask[i] != 0;
  return selected;
}

__global__ void count_chunks(const uint8_t* mask, int64_t* counts, int64_t N) {
  __shared__ int64_t shared[threads];
  const int64_t first = int64_t(blockIdx.x) * chunk + threadIdx.x * each;
  int64_t total;
  scan(selected_by(mask, first, N), shared, total);
  if (threadIdx.x == 0) counts[blockIdx.x] = total;
}

// One block: counts become starts.
__global__ void place_chunks(int64_t* counts, int64_t chunks, int64_t* count) {
  __shared__ int64_t shared[threads];
  int64_t start = 0;
  for (int64_t first = 0; first < chunks; first += threads) {
    const int64_t at = first + threadIdx.x;
    int64_t total;
    const int64_t before = scan(at < chunks ? counts[at] : 0, shared, total);
    if (at < chunks) counts[at] = start + before;
    start += total;
  }
  if (threadIdx.x == 0) count[0] = start;
}

__global__ void write_chunks(const float* x, const uint8_t* mask, const int64_t* starts, float* y, int64_t N,
                             float shift) {
  __shared__ int64_t shared[threads];
  const int64_t first = int64_t(blockIdx.x) * chunk + threadIdx.x * each;
  int64_t total;
  int64_t to = starts[blockIdx.x] + scan(selected_by(mask, first, N), shared, total);
  for (int64_t i = first; i < first + each && i < N; ++i)
    if (mask[i]) {
      const float z = x[i] + shift;
      y[to++] = 0.5f * z * erfcf(-0.70710678f * z);
    }
}

}  // namespace

extern "C" size_t kernel_fused_masked_select_add_gelu_workspace(int64_t N) {
  return size_t(chunks_of(N)) * sizeof(int64_t);
}

extern "C" void kernel_fused_masked_select_add_gelu(const float* x, const uint8_t* mask, float* y,
                                                    int64_t* count, int64_t N, double alpha, double other,
                                                    void* workspace, void* stream) {
  const auto queue = (cudaStream_t)stream;
  auto* starts = static_cast<int64_t*>(workspace);
  const int64_t chunks = chunks_of(N);
  if (chunks > 0) count_chunks<<<chunks, threads, 0, queue>>>(mask, starts, N);
  place_chunks<<<1, threads, 0, queue>>>(starts, chunks, count);
  if (chunks > 0) write_chunks<<<chunks, threads, 0, queue>>>(x, mask, starts, y, N, float(alpha * other));
}
