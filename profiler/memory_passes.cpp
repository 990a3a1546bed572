#include "profiler/memory_passes.hpp"

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ridgeline::profiler {
namespace {

// NOLINTBEGIN(bugprone-suspicious-include): the same loops for each kind of vector
#if defined(__x86_64__)
#define RIDGELINE_IN_REGISTER "+x"
namespace avx512 {
#define RIDGELINE_TARGET __attribute__((target("avx512f"), noinline))
typedef std::uint64_t Vector __attribute__((vector_size(64), may_alias));
#define stream_to(place, value) _mm512_stream_si512(reinterpret_cast<__m512i*>(place), (__m512i)(value))
#include "profiler/memory_passes.inc"
#undef stream_to
#undef RIDGELINE_TARGET
}  // namespace avx512
namespace avx2 {
#define RIDGELINE_TARGET __attribute__((target("avx2"), noinline))
typedef std::uint64_t Vector __attribute__((vector_size(32), may_alias));
#define stream_to(place, value) _mm256_stream_si256(reinterpret_cast<__m256i*>(place), (__m256i)(value))
#include "profiler/memory_passes.inc"
#undef stream_to
#undef RIDGELINE_TARGET
}  // namespace avx2
namespace plain {
#define RIDGELINE_TARGET __attribute__((noinline))
typedef std::uint64_t Vector __attribute__((vector_size(16), may_alias));
#define stream_to(place, value) _mm_stream_si128(reinterpret_cast<__m128i*>(place), (__m128i)(value))
#include "profiler/memory_passes.inc"
}  // namespace plain
#else
#define RIDGELINE_IN_REGISTER "+w"
namespace plain {
#define RIDGELINE_TARGET __attribute__((noinline))
typedef std::uint64_t Vector __attribute__((vector_size(16), may_alias));
#define stream_to(place, value) \
  (*reinterpret_cast<Vector*>(place) = (value))  // no portable non-temporal store
#include "profiler/memory_passes.inc"
}  // namespace plain
#endif
// NOLINTEND(bugprone-suspicious-include)

}  // namespace

const Passes& memory_passes() {
  static const Passes fastest = [] {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return avx512::made();
    if (__builtin_cpu_supports("avx2")) return avx2::made();
#endif
    return plain::made();
  }();
  return fastest;
}

}  // namespace ridgeline::profiler
