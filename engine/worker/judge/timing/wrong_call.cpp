#include "engine/worker/judge/timing/wrong_call.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "engine/worker/judge/sampling/full_comparisons.hpp"
#include "engine/worker/judge/timing/plain_looks.hpp"
#include "engine/worker/judge/timing/screening.hpp"
#include "profiler/metrics.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

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

std::vector<bool> look_plainly(PreparedTask& prepared, const PreparedCase& one,
                               std::span<const TimedCall> calls, Look look) {
  const profiler::ScopedMetric metric("timing.compare_plainly");
  return plainly_right(prepared, one, calls, look, prepared.random());
}

}  // namespace

std::optional<WrongCall> find_wrong(PreparedTask& prepared, PreparedCase& one, std::vector<TimedCall>& calls,
                                    std::size_t in_full, int& verified) {
  const profiler::ScopedMetric metric("timing.compare");
  auto& random = prepared.random();
  for (std::size_t i = calls.size(); i > 1; --i) std::swap(calls[i - 1], calls[random.below(i)]);
  const auto& task = prepared.task();
  const auto& definition = one.definition();
  const auto wrong = [&](const TimedCall& call, bool try_others) -> std::optional<WrongCall> {
    const profiler::ScopedMetric wholly("timing.compare_wholly");
    const auto inputs = one.timing_arena->inputs_of(call.instance);
    if (try_others && right_as_others(prepared, one, inputs, call.outputs)) return std::nullopt;
    const auto expected =
        verifier::expect(prepared.reference(), task, definition, InputSet::standard, inputs);
    auto compared = verifier::compare(task, definition, InputSet::standard, expected, call.outputs);
    if (compared.ok) return std::nullopt;
    return WrongCall{compared, is_weak(compared)};
  };
  in_full = std::min(in_full, calls.size());
  for (std::size_t i = 0; i < in_full; ++i, ++verified)
    if (auto found = wrong(calls[i], true)) return found;
  if (in_full == calls.size()) return std::nullopt;
  PlainLooks looks(in_full, calls.size());
  const auto together = calls_together(one, calls.front());
  const double begin = profiler::wall_seconds();
  while (const std::size_t count = looks.next(together, profiler::wall_seconds() - begin)) {
    const auto some = std::span<const TimedCall>(calls).subspan(looks.done(), count);
    const auto right = look_plainly(prepared, one, some, looks.wholly() ? Look::all : Look::some);
    for (std::size_t i = 0; i < count; ++i, ++verified)
      if (!right[i])
        if (auto found = wrong(some[i], false)) return found;
    looks.did(count);
  }
  return std::nullopt;
}

}  // namespace ridgeline::judge
