// The source of the kernels of sealing.hpp: plain CUDA C++ for NVRTC, without headers. It comes behind
// kNumbersBegin and engine/core/draw_numbers.inc, whose keyed words are the seal.
#pragma once

namespace ridgeline::cuda {

inline constexpr const char* kSealingKernels = R"text(
typedef unsigned long long u64;
typedef unsigned char u8;
struct Piece { u64 address, bytes; };
struct Digest { u64 output[2], evicted; };

__device__ u64 nanoseconds() {
  u64 now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}
/// Each piece has a stream of words of its own.
__device__ u64 key_of(u64 key, int piece) { return mixed(key + (u64)(piece + 1) * 0x9E3779B97F4A7C15ull); }
__device__ u64 place() { return blockIdx.x * (u64)blockDim.x + threadIdx.x; }
__device__ u64 places() { return gridDim.x * (u64)blockDim.x; }

/// 128 bits that follow from all that was absorbed, and from its order.
struct State { u64 a, b; };
/// Absorbs two words. They enter before and after the mixing, so that nobody finds words that lead to a state
/// which was given.
__device__ State absorbed(State s, u64 x, u64 y) {
  s.a = mixed(s.a ^ x);
  s.b ^= y ^ (s.a << 29 | s.a >> 35);
  s.b = mixed(s.b);
  return {s.a + s.b ^ x, s.b ^ y};
}
__device__ State joined(State left, State right) {
  const State s = absorbed({0x6A09E667F3BCC908ull, 0xBB67AE8584CAA73Bull}, left.a, left.b);  // of sqrt(2), sqrt(3)
  return absorbed(s, right.a, right.b);
}
/// Joins the states of a block's threads, of which there are 256. The first thread gets the result. One warp
/// does it: eight would take turns.
__device__ State of_block(State s) {
  __shared__ State all[256];
  __syncthreads();  // it may still be read by the call before
  all[threadIdx.x] = s;
  __syncthreads();
  if (threadIdx.x >= 32) return s;
  for (unsigned other = threadIdx.x + 32; other < 256; other += 32) s = absorbed(s, all[other].a, all[other].b);
  for (unsigned other = 1; other < 32; other *= 2) {  // neighbours, then neighbours of these pairs, and so on
    const State theirs = {__shfl_xor_sync(~0u, s.a, other), __shfl_xor_sync(~0u, s.b, other)};
    s = threadIdx.x & other ? joined(theirs, s) : joined(s, theirs);
  }
  return s;
}

/// Adds each block's sum of `value` to `to`.
__device__ void add(u64 value, u64* to) {
  __shared__ u64 of_warp[32];
  for (int other = 16; other > 0; other /= 2) value += __shfl_xor_sync(~0u, value, other);
  __syncthreads();  // of_warp may still be read by the sum before
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned warp = 1; warp < blockDim.x / 32; ++warp) value += of_warp[warp];
  atomicAdd(to, value);
}

/// Waits until more than `call` keys are published. Ends the context with an error after `limit` nanoseconds,
/// since nothing that follows could be right; *missing then says which call had no key, counted from 1.
extern "C" __global__ void await_key(const volatile u64* published, const volatile u64* keys, u64 call, u64* key,
                                     volatile u64* missing, u64 limit) {
  const u64 begin = nanoseconds();
  while (*published <= call)
    if (nanoseconds() - begin > limit) {
      *missing = call + 1;
      __threadfence_system();
      asm volatile("trap;");
    }
  __threadfence_system();
  *key = keys[call];
}

/// Seals what is open, and opens what is sealed: `from` into `to`, which may be the same pieces. `number`: of
/// the first piece, among those of one key.
extern "C" __global__ void seal(const Piece* from, const Piece* to, int count, int number, const u64* key) {
  for (int p = 0; p < count; ++p) {
    const u64 own = key_of(*key, number + p), source = from[p].address, target = to[p].address, bytes = to[p].bytes;
    for (u64 i = place(); i < bytes / 16; i += places()) {
      ulonglong2 value = ((const ulonglong2*)source)[i];
      value.x ^= word64(own, 2 * i);
      value.y ^= word64(own, 2 * i + 1);
      ((ulonglong2*)target)[i] = value;
    }
    for (u64 i = bytes / 16 * 16 + place(); i < bytes; i += places())
      ((u8*)target)[i] = ((const u8*)source)[i] ^ (u8)(word64(own, i / 8) >> (8 * (i % 8)));
  }
}

/// Reads all of `memory`. Its words and the key enter the sum by a function that is not linear in either, so
/// that nothing but reading them again gives the sum for another key.
extern "C" __global__ void evict(const ulonglong2* memory, u64 count, const u64* key, u64* sums) {
  const u64 given = *key;
  u64 sum = 0;
  for (u64 i = place(); i < count; i += places()) {
    const ulonglong2 value = memory[i];
    sum += mixed((value.x ^ given) * (value.y | 1));
  }
  add(sum, sums);
}

/// Writes what follows from all bits of the pieces as digest `call`, with the sum of `evict`, and then says so.
/// A thread absorbs its words one after the other; the states of threads, and then of blocks, are joined by their
/// places. `of_blocks`: room for a state each.
extern "C" __global__ void digest(const Piece* pieces, int count, const u64* key, u64* sums, unsigned* blocks_done,
                                  State* of_blocks, volatile Digest* digests, volatile u64* written, u64 call) {
  State s = absorbed({*key, ~*key}, place(), places());
  for (int p = 0; p < count; ++p) {
    const u64 address = pieces[p].address, bytes = pieces[p].bytes;
#pragma unroll 4
    for (u64 i = place(); i < bytes / 16; i += places()) {
      const ulonglong2 words = ((const ulonglong2*)address)[i];
      s = absorbed(s, words.x, words.y);
    }
    for (u64 i = bytes / 16 * 16 + place(); i < bytes; i += places()) s = absorbed(s, ((const u8*)address)[i], i);
  }
  s = of_block(s);
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    of_blocks[blockIdx.x] = s;
    __threadfence();
    is_last = atomicAdd(blocks_done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  s = absorbed({*key, ~*key}, threadIdx.x, gridDim.x);
  for (unsigned block = threadIdx.x; block < gridDim.x; block += blockDim.x) {
    const volatile State* const one = of_blocks + block;
    s = absorbed(s, one->a, one->b);
  }
  s = of_block(s);
  if (threadIdx.x != 0) return;
  *blocks_done = 0;
  digests[call].output[0] = s.a;
  digests[call].output[1] = s.b;
  digests[call].evicted = atomicExch(sums, 0ull);
  __threadfence_system();
  *written = call + 1;
}
)text";

}  // namespace ridgeline::cuda
