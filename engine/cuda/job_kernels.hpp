// The source of the kernels of jobs.hpp: plain CUDA C++ for NVRTC, without headers. generate_kernel.hpp has
// that which draws numbers.
#pragma once

namespace ridgeline::cuda {

// A block works off whole chunks of 64 KiB. `first` holds the number of chunks before each job, so that a
// block finds its job by bisection, and a single large job still keeps the whole device busy. This stands
// before kJobKernels and before kGenerateKernel.
inline constexpr const char* kChunksOfJobs = R"text(
typedef unsigned long long u64;
typedef unsigned char u8;
constexpr u64 chunk = 65536;

__device__ int find(const u64* first, int jobs, u64 block) {
  int low = 0, high = jobs - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (first[middle] <= block) low = middle; else high = middle - 1;
  }
  return low;
}
)text";

inline constexpr const char* kJobKernels = R"text(
struct Job { u64 to, from, bytes, pattern; };

__device__ u8 pattern_byte(u64 pattern, u64 offset) { return (u8)(pattern >> (8 * (offset & 7))); }

extern "C" __global__ void move(const Job* jobs, const u64* first, int count, u64 chunks) {
  for (u64 block = blockIdx.x; block < chunks; block += gridDim.x) {
    const int at = find(first, count, block);
    const Job job = jobs[at];
    const u64 begin = (block - first[at]) * chunk;
    const u64 end = begin + chunk < job.bytes ? begin + chunk : job.bytes;
    u8* const to = (u8*)job.to;
    const u8* const from = (const u8*)job.from;
    const bool wide = ((job.to | job.from) & 15) == 0;
    const u64 wide_end = wide ? end & ~15ull : begin;
    if (wide) {
      const ulonglong2 filler = make_ulonglong2(job.pattern, job.pattern);
      for (u64 i = begin + 16 * threadIdx.x; i < wide_end; i += 16 * blockDim.x)
        *(ulonglong2*)(to + i) = from ? *(const ulonglong2*)(from + i) : filler;
    } else if (((job.to | job.from) & 3) == 0) {
      const u64 narrow_end = end & ~3ull;
      for (u64 i = begin + 4 * threadIdx.x; i < narrow_end; i += 4 * blockDim.x)
        *(unsigned*)(to + i) = from ? *(const unsigned*)(from + i) : (unsigned)(job.pattern >> (8 * (i & 4)));
      for (u64 i = narrow_end + threadIdx.x; i < end; i += blockDim.x)
        to[i] = from ? from[i] : pattern_byte(job.pattern, i);
      continue;
    }
    for (u64 i = (wide_end > begin ? wide_end : begin) + threadIdx.x; i < end; i += blockDim.x)
      to[i] = from ? from[i] : pattern_byte(job.pattern, i);
  }
}

extern "C" __global__ void compare(const Job* jobs, const u64* first, int count, u64 chunks, u64* different) {
  for (u64 block = blockIdx.x; block < chunks; block += gridDim.x) {
    const int at = find(first, count, block);
    const Job job = jobs[at];
    const u64 begin = (block - first[at]) * chunk;
    const u64 end = begin + chunk < job.bytes ? begin + chunk : job.bytes;
    const u8* const a = (const u8*)job.to;
    const u8* const b = (const u8*)job.from;
    u64 lowest = ~0ull;
    if (((job.to | job.from) & 15) == 0) {
      for (u64 i = begin + 16 * threadIdx.x; i + 16 <= end; i += 16 * blockDim.x) {
        const ulonglong2 x = *(const ulonglong2*)(a + i);
        const ulonglong2 y = b ? *(const ulonglong2*)(b + i) : make_ulonglong2(job.pattern, job.pattern);
        if ((x.x != y.x || x.y != y.y) && i < lowest) lowest = i;
      }
      for (u64 i = (end & ~15ull) + threadIdx.x; i < end; i += blockDim.x)
        if (a[i] != (b ? b[i] : pattern_byte(job.pattern, i)) && i < lowest) lowest = i;
    } else {
      for (u64 i = begin + threadIdx.x; i < end; i += blockDim.x)
        if (a[i] != (b ? b[i] : pattern_byte(job.pattern, i)) && i < lowest) lowest = i;
    }
    if (lowest != ~0ull) {
      const u64 last = lowest + 16 < job.bytes ? lowest + 16 : job.bytes;
      while (lowest < last && a[lowest] == (b ? b[lowest] : pattern_byte(job.pattern, lowest))) ++lowest;
      atomicMin(different + at, lowest);
    }
  }
}

__device__ u64 nanoseconds() {
  u64 now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

extern "C" __global__ void nothing() {}

extern "C" __global__ void cycles(u64* seen) {
  if (threadIdx.x != 0) return;
  u64 before = nanoseconds(), begin = before, end = before;
  while (begin == before) begin = nanoseconds();  // the timer moves in steps: from one edge to another
  const u64 first = clock64();
  while (end < begin + 20000) end = nanoseconds();
  seen[0] = clock64() - first;
  seen[1] = end - begin;
}

extern "C" __global__ void read(const ulonglong2* memory, u64 count, u64* never) {
  u64 sum = 0;
  for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += gridDim.x * (u64)blockDim.x) {
    const ulonglong2 value = memory[i];
    sum += value.x ^ value.y;
  }
  if (sum == 0x9e3779b97f4a7c15ull) *never = sum;
}
)text";

}  // namespace ridgeline::cuda
