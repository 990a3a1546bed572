#include "profiler/cache_flush.hpp"

#include <cstdint>
#include <vector>

#include "profiler/cpu_info.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ridgeline::profiler {
namespace {

constexpr std::uintptr_t kLine = 64;

#if defined(__x86_64__)
// CLFLUSHOPT may be reordered, so flushes overlap and take a fraction of CLFLUSH's time.
__attribute__((target("clflushopt"))) void flush_unordered(std::uintptr_t at, std::uintptr_t end) {
  for (; at < end; at += kLine) _mm_clflushopt(reinterpret_cast<void*>(at));
}

void flush_ordered(std::uintptr_t at, std::uintptr_t end) {
  for (; at < end; at += kLine) _mm_clflush(reinterpret_cast<void*>(at));
}

bool has_unordered_flush() {
  unsigned a = 7, b = 0, c = 0, d = 0;
  asm volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  return (b >> 23 & 1) != 0;  // CPUID.7.EBX: CLFLUSHOPT
}
#endif

}  // namespace

void flush_from_caches(const void* begin, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
#if defined(__x86_64__)
  static const bool unordered = has_unordered_flush();
  const auto at = first & ~(kLine - 1);
  if (unordered)
    flush_unordered(at, first + bytes);
  else
    flush_ordered(at, first + bytes);
  // Waits until the flushes are globally visible; without it, a timed call could still hit a line.
  _mm_mfence();
#elif defined(__aarch64__)
  for (auto at = first & ~(kLine - 1); at < first + bytes; at += kLine)
    asm volatile("dc civac, %0" : : "r"(at) : "memory");
  asm volatile("dsb sy" : : : "memory");
#else
  static const std::vector<char> other(4 * last_level_cache_bytes(), 1);
  for (std::size_t i = 0; i < other.size(); i += kLine) asm volatile("" : : "r"(other[i]));
  (void)first, (void)bytes;
#endif
}

}  // namespace ridgeline::profiler
