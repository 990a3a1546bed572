// Measures peaks of computation. Twelve independent accumulators hide a multiply-add's latency of four to
// five cycles on two ports. The CPU is asked at run time which vectors it has, so that one binary measures
// every machine.
#include <cstdint>

#include "profiler/best_of.hpp"
#include "profiler/cpu_ceilings.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ridgeline::profiler {
namespace {

constexpr int kChains = 12;
constexpr long kSteps = 40'000;  // about 0.1 ms, short beside a scheduler's time slice
constexpr double kStepsDone = static_cast<double>(kSteps) * kChains;

/// Uses the compiler's own vectors, for the baseline instruction set of any machine.
template <class Number>
double portable_seconds(double seconds) {
  typedef Number Vector __attribute__((vector_size(16)));
  return fastest(seconds, [] {
    Vector sums[kChains] = {};
    Vector a = Vector{} + static_cast<Number>(1.0001), b = Vector{} + static_cast<Number>(1e-6);
    // Hides the constants from the compiler, which would fold the loop.
    asm volatile("" : "+m"(a), "+m"(b));
    for (long step = 0; step < kSteps; ++step)
      for (auto& sum : sums) sum = sum * a + b;
    asm volatile("" : : "r"(sums) : "memory");
  });
}

#if defined(__x86_64__)
// One function for each kind of vector: `target` must stand on the function that contains the intrinsics,
// and a lambda would not inherit it.
#define RIDGELINE_CHAINS(name, isa, Vector, zero, step)                                           \
  __attribute__((target(isa), noinline)) void name() {                                            \
    Vector sums[kChains];                                                                         \
    for (auto& sum : sums) sum = zero;                                                            \
    Vector a = zero, b = zero;                                                                    \
    asm volatile("" : "+x"(a), "+x"(b));                                                          \
    for (long i = 0; i < kSteps; ++i) _Pragma("GCC unroll 12") for (auto& sum : sums) sum = step; \
    for (auto& sum : sums) asm volatile("" : : "x"(sum));                                         \
  }
RIDGELINE_CHAINS(fp32_avx2, "avx2,fma", __m256, _mm256_setzero_ps(), _mm256_fmadd_ps(sum, a, b))
RIDGELINE_CHAINS(fp64_avx2, "avx2,fma", __m256d, _mm256_setzero_pd(), _mm256_fmadd_pd(sum, a, b))
RIDGELINE_CHAINS(fp32_avx512, "avx512f", __m512, _mm512_setzero_ps(), _mm512_fmadd_ps(sum, a, b))
RIDGELINE_CHAINS(fp64_avx512, "avx512f", __m512d, _mm512_setzero_pd(), _mm512_fmadd_pd(sum, a, b))
RIDGELINE_CHAINS(int8_vnni512, "avx512f,avx512vnni", __m512i, _mm512_setzero_si512(),
                 _mm512_dpbusd_epi32(sum, a, b))
#undef RIDGELINE_CHAINS

/// Without VNNI: 8-bit products are summed in pairs, widened and added. `fresh` keeps the products from
/// being hoisted out of the loop.
__attribute__((target("avx2"), noinline)) void int8_avx2() {
  __m256i sums[kChains];
  for (auto& sum : sums) sum = _mm256_setzero_si256();
  __m256i a = _mm256_setzero_si256(), b = a, ones = a;
  asm volatile("" : "+x"(a), "+x"(b), "+x"(ones));
  for (long i = 0; i < kSteps; ++i) {
    _Pragma("GCC unroll 12") for (auto& sum : sums) {
      __m256i fresh = a;
      asm volatile("" : "+x"(fresh));
      sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(fresh, b), ones));
    }
  }
  for (auto& sum : sums) asm volatile("" : : "x"(sum));
}
#endif

}  // namespace

double measure_fp32_peak(double seconds) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return 2 * 16 * kStepsDone / fastest(seconds, fp32_avx512);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return 2 * 8 * kStepsDone / fastest(seconds, fp32_avx2);
#endif
  return 2 * 4 * kStepsDone / portable_seconds<float>(seconds);
}

double measure_fp64_peak(double seconds) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return 2 * 8 * kStepsDone / fastest(seconds, fp64_avx512);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return 2 * 4 * kStepsDone / fastest(seconds, fp64_avx2);
#endif
  return 2 * 2 * kStepsDone / portable_seconds<double>(seconds);
}

double measure_int8_peak(double seconds) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512vnni")) return 2 * 64 * kStepsDone / fastest(seconds, int8_vnni512);
  if (__builtin_cpu_supports("avx2")) return 2 * 32 * kStepsDone / fastest(seconds, int8_avx2);
#endif
  return 2 * 4 * kStepsDone / portable_seconds<std::int32_t>(seconds);
}

}  // namespace ridgeline::profiler
