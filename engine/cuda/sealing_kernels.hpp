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

/// Whoever waits for a key that never comes gives up: then the process that gives it is gone.
extern "C" __global__ void await_key(const volatile u64* published, const volatile u64* keys, u64 call, u64* key) {
  const u64 begin = nanoseconds();
  while (*published <= call)
    if (nanoseconds() - begin > 2000000000ull) { *key = 0; return; }
  __threadfence_system();
  *key = keys[call];
}

/// Seals what is open, and opens what is sealed.
extern "C" __global__ void seal(const Piece* pieces, int count, const u64* key) {
  for (int p = 0; p < count; ++p) {
    const u64 own = key_of(*key, p), address = pieces[p].address, bytes = pieces[p].bytes;
    for (u64 i = place(); i < bytes / 16; i += places()) {
      ulonglong2* const at = (ulonglong2*)address + i;
      ulonglong2 value = *at;
      value.x ^= word64(own, 2 * i);
      value.y ^= word64(own, 2 * i + 1);
      *at = value;
    }
    for (u64 i = bytes / 16 * 16 + place(); i < bytes; i += places())
      ((u8*)address)[i] ^= (u8)(word64(own, i / 8) >> (8 * (i % 8)));
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
  add(sum, sums + 2);
}

/// Writes sums over all bits of the pieces as digest `call`, with that of `evict`, and then says so.
extern "C" __global__ void digest(const Piece* pieces, int count, const u64* key, u64* sums, unsigned* blocks_done,
                                  volatile Digest* digests, volatile u64* written, u64 call) {
  u64 first = 0, second = 0;
  for (int p = 0; p < count; ++p) {
    const u64 own = key_of(*key, p), address = pieces[p].address, bytes = pieces[p].bytes;
    const auto take = [&](u64 word, u64 at) {
      const u64 keyed = word64(own, at), hashed = mixed(word ^ keyed);
      first += hashed;
      second += hashed * (keyed << 1 | 1);
    };
    for (u64 i = place(); i < bytes / 16; i += places()) {
      const ulonglong2 words = ((const ulonglong2*)address)[i];
      take(words.x, 2 * i);
      take(words.y, 2 * i + 1);
    }
    for (u64 i = bytes / 16 * 16 + place(); i < bytes; i += places()) take(((const u8*)address)[i], i);
  }
  add(first, sums);
  add(second, sums + 1);
  __threadfence();
  if (threadIdx.x != 0 || atomicAdd(blocks_done, 1u) != gridDim.x - 1) return;
  *blocks_done = 0;
  digests[call].output[0] = atomicExch(sums, 0ull);
  digests[call].output[1] = atomicExch(sums + 1, 0ull);
  digests[call].evicted = atomicExch(sums + 2, 0ull);
  __threadfence_system();
  *written = call + 1;
}
)text";

}  // namespace ridgeline::cuda
