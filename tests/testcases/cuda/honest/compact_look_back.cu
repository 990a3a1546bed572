// One pass with decoupled look-back: a block adds up what the blocks before it have published.
// task: compact
// expect: passed
// cheated: no
#include <cstddef>
#include <cstdint>

constexpr int threads = 256;
using Word = unsigned long long;
constexpr Word own = Word(1) << 62, through = Word(2) << 62, value = own - 1;

static __global__ void select(const float* x, float* y, int64_t* count, int64_t N, Word* states,
                              int64_t chunks) {
  __shared__ Word chunk, before;
  __shared__ int kept_by_warp[threads / 32];
  // Blocks take numbers, so that whoever is waited for has begun.
  if (threadIdx.x == 0) chunk = atomicAdd(states + chunks, Word(1));
  __syncthreads();
  const int64_t i = int64_t(chunk) * threads + threadIdx.x;
  const float mine = i < N ? x[i] : 0.0f;
  const bool kept = mine > 0;
  const unsigned votes = __ballot_sync(~0u, kept);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane == 0) kept_by_warp[warp] = __popc(votes);
  __syncthreads();
  int to = __popc(votes & ((1u << lane) - 1)), all = 0;
  for (int other = 0; other < threads / 32; ++other) {
    if (other < warp) to += kept_by_warp[other];
    all += kept_by_warp[other];
  }
  if (threadIdx.x == 0) {
    atomicExch(states + chunk, own | Word(all));
    Word sum = 0;
    for (int64_t back = int64_t(chunk) - 1; back >= 0;) {
      const Word state = atomicAdd(states + back, Word(0));
      if (state == 0) continue;
      sum += state & value;
      if (state & through) break;
      --back;
    }
    atomicExch(states + chunk, through | (sum + Word(all)));
    before = sum;
    if (int64_t(chunk) == chunks - 1) *count = int64_t(sum) + all;
  }
  __syncthreads();
  if (kept) y[before + to] = mine;
}

extern "C" size_t kernel_compact_workspace(int64_t N) {
  return ((N + threads - 1) / threads + 1) * sizeof(Word);
}

extern "C" void kernel_compact(const float* x, float* y, int64_t* count, int64_t N, void* workspace,
                               void* stream) {
  cudaMemsetAsync(workspace, 0, kernel_compact_workspace(N), (cudaStream_t)stream);
  const int64_t chunks = (N + threads - 1) / threads;
  select<<<chunks, threads, 0, (cudaStream_t)stream>>>(x, y, count, N, static_cast<Word*>(workspace), chunks);
}
