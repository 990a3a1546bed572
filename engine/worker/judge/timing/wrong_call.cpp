#include "engine/worker/judge/timing/wrong_call.hpp"

#include <algorithm>
#include <utility>

#include "engine/worker/judge/sampling/full_comparisons.hpp"
#include "engine/worker/judge/timing/screening.hpp"
#include "profiler/metrics.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

constexpr std::size_t kMostVerified = 96;
constexpr std::size_t kLeastVerified = 12;
constexpr std::size_t kLookedAtWhole = 6;
constexpr double kVerifySeconds = 0.02;
constexpr double kWeakShare = 0.01;  // of the elements

bool is_weak(const verifier::Comparison& compared) {
  if (!compared.mismatch || compared.mismatch->pattern != Pattern::precision) return false;
  return static_cast<double>(compared.mismatch->wrong) <=
         std::max(1.0, kWeakShare * static_cast<double>(compared.mismatch->elements));
}

/// By one run in float64. False says nothing yet.
bool right_as_others(const PreparedTask& prepared, PreparedCase& one, const std::vector<at::Tensor>& inputs,
                     const std::vector<at::Tensor>& outputs) {
  if (one.expectation_seconds() <= long_expectation) return false;
  const auto* known = one.sets(InputSet::standard).latest();
  if (!known) return false;
  const auto& task = prepared.task();
  const auto expected =
      verifier::expect_alike(prepared.reference(), task, one.definition(), inputs, known->expected);
  return expected && verifier::compare(task, one.definition(), InputSet::standard, *expected, outputs).ok;
}

}  // namespace

std::optional<WrongCall> find_wrong(PreparedTask& prepared, PreparedCase& one, std::vector<TimedCall>& calls,
                                    std::size_t in_full, int& verified) {
  const profiler::ScopedMetric metric("timing.compare");
  auto& random = prepared.random();
  for (std::size_t i = calls.size(); i > 1; --i) std::swap(calls[i - 1], calls[random.below(i)]);
  const auto& task = prepared.task();
  const auto& definition = one.definition();
  double begin = 0;  // of the looks, which are cheap; the full comparisons are made in any case
  for (std::size_t i = 0; i < std::min(calls.size(), kMostVerified); ++i) {
    if (i == in_full) begin = profiler::wall_seconds();
    if (i >= kLeastVerified && profiler::wall_seconds() - begin > kVerifySeconds) break;
    const profiler::ScopedMetric one_call(i < in_full ? "timing.compare_wholly" : "timing.compare_plainly");
    const auto inputs = one.timing_arena->inputs_of(calls[i].instance);
    const auto& outputs = calls[i].outputs;
    ++verified;
    const auto look = i < kLookedAtWhole ? Look::all : Look::some;
    if (i < in_full ? right_as_others(prepared, one, inputs, outputs)
                    : plainly_right(prepared, definition, inputs, outputs, look, random))
      continue;
    const auto expected =
        verifier::expect(prepared.reference(), task, definition, InputSet::standard, inputs);
    auto compared = verifier::compare(task, definition, InputSet::standard, expected, outputs);
    if (!compared.ok) return WrongCall{compared, is_weak(compared)};
  }
  return std::nullopt;
}

}  // namespace ridgeline::judge
