#include "engine/worker/judge/timing/wrong_call.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "engine/verifier/choice.hpp"
#include "engine/verifier/seeds.hpp"
#include "engine/worker/judge/sampling/full_comparisons.hpp"
#include "engine/worker/judge/timing/output_check.hpp"
#include "engine/worker/judge/timing/output_check_plan.hpp"
#include "profiler/metrics.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

/// A pair of a million elements takes some tenths of a second.
constexpr std::size_t kOthersOfARandomCall = 3;

/// Compares against one run of the reference in float64, with the tolerances of a secret set that is at hand:
/// deriving tolerances takes many runs. Returns true if the call is right; false decides nothing.
bool right_by_known_tolerance(const PreparedTask& prepared, PreparedCase& prepared_case,
                              const std::vector<at::Tensor>& inputs, const std::vector<at::Tensor>& outputs) {
  if (prepared_case.expectation_seconds() <= long_expectation) return false;
  const auto* known = prepared_case.sets(InputSet::standard).latest();
  if (!known) return false;
  const auto& task = prepared.task();
  const auto& definition = prepared_case.definition();
  const auto expected =
      verifier::expect_alike(prepared.reference(), task, definition, inputs, known->expected);
  return expected && verifier::compare(task, definition, InputSet::standard, *expected, outputs).ok;
}

/// Compares what `call` of a random task drew with what other calls drew under other seeds. Outputs that are
/// kept from call to call are right in each, and spare the drawing. `expected` was derived for `call`. The
/// other inputs differ too, so calls are tested for correlation alone.
std::optional<WrongCall> find_kept_draws(const PreparedTask& prepared, PreparedCase& prepared_case,
                                         const TimedCall& call, const std::vector<at::Tensor>& inputs,
                                         const verifier::Expected& expected,
                                         std::span<const TimedCall> others) {
  const profiler::ScopedMetric metric("timing.compare_draws");
  const auto& task = prepared.task();
  const auto& definition = prepared_case.definition();
  for (const auto& other : others) {
    const auto others_inputs = prepared_case.timing_arena->inputs_of(other.instance);
    if (!verifier::seeds_differ(task, definition, inputs, others_inputs)) continue;
    auto compared = verifier::compare_random_calls(task, definition, InputSet::standard, expected,
                                                   {call.outputs, other.outputs}, /*same_inputs=*/false);
    if (!compared.ok) return WrongCall{compared, false};
  }
  return std::nullopt;
}

/// Compares one call in full, and of a random task what it drew with `others`. Empty: it is right.
std::optional<WrongCall> compare_in_full(const PreparedTask& prepared, PreparedCase& prepared_case,
                                         const TimedCall& call, bool try_known_tolerance,
                                         std::span<const TimedCall> others) {
  const profiler::ScopedMetric metric("timing.compare_wholly");
  const auto& task = prepared.task();
  const auto& definition = prepared_case.definition();
  const auto inputs = prepared_case.timing_arena->inputs_of(call.instance);
  if (try_known_tolerance && right_by_known_tolerance(prepared, prepared_case, inputs, call.outputs))
    return std::nullopt;
  const auto expected = verifier::expect(prepared.reference(), task, definition, InputSet::standard, inputs);
  auto compared = verifier::compare_outputs(prepared.reference(), task, definition, InputSet::standard,
                                            inputs, expected, call.outputs);
  if (!compared.ok) return WrongCall{compared, is_weak(compared)};
  if (!verifier::is_random(task)) return std::nullopt;
  return find_kept_draws(prepared, prepared_case, call, inputs, expected, others);
}

std::vector<bool> check_outputs(const PreparedTask& prepared, const PreparedCase& prepared_case,
                                std::span<const TimedCall> calls) {
  const profiler::ScopedMetric metric("timing.compare_plainly");
  return pass_output_check(prepared, prepared_case, calls);
}

/// Checks outputs of calls from `done` on, as many as the plan affords.
std::optional<WrongCall> find_by_output_checks(PreparedTask& prepared, PreparedCase& prepared_case,
                                               std::span<const TimedCall> calls, std::size_t done,
                                               int& verified) {
  OutputCheckPlan plan(done, calls.size());
  const auto together = calls_checked_together(prepared_case, calls.front());
  const double begin = profiler::wall_seconds();
  while (const std::size_t count = plan.next(together, profiler::wall_seconds() - begin)) {
    const auto some = calls.subspan(plan.done(), count);
    const auto passed = check_outputs(prepared, prepared_case, some);
    for (std::size_t i = 0; i < count; ++i, ++verified)
      if (!passed[i])
        if (auto wrong = compare_in_full(prepared, prepared_case, some[i], false, {})) return wrong;
    plan.checked(count);
  }
  return std::nullopt;
}

}  // namespace

bool is_weak(const verifier::Comparison& compared) {
  constexpr double weak_share = 0.01;  // of the elements
  constexpr double near = 4;           // tolerances
  if (!compared.mismatch || compared.mismatch->pattern != Pattern::precision) return false;
  const auto& mismatch = *compared.mismatch;
  if (static_cast<double>(mismatch.wrong) <= weak_share * static_cast<double>(mismatch.elements)) return true;
  // One element is more than its share of a small output.
  const auto errors = std::ranges::find(compared.errors, mismatch.output, &ErrorQuantiles::output);
  return mismatch.wrong == 1 && errors != compared.errors.end() && errors->worst <= near;
}

bool is_partly_wrong(const verifier::Comparison& compared) {
  return compared.mismatch && 2 * compared.mismatch->wrong <= compared.mismatch->elements;
}

std::optional<WrongCall> find_wrong_call(PreparedTask& prepared, PreparedCase& prepared_case,
                                         std::vector<TimedCall>& calls, std::size_t in_full, int& verified) {
  const profiler::ScopedMetric metric("timing.compare");
  // A candidate that knows the order of its calls must not know which of them are compared in full.
  auto& random = prepared.random();
  for (std::size_t i = calls.size(); i > 1; --i) std::swap(calls[i - 1], calls[random.below(i)]);
  in_full = std::min(in_full, calls.size());
  const std::span<const TimedCall> all(calls);
  for (std::size_t i = 0; i < in_full; ++i, ++verified) {
    // The calls behind it: no pair is compared twice.
    const auto others = all.subspan(i + 1, std::min(kOthersOfARandomCall, all.size() - i - 1));
    if (auto wrong = compare_in_full(prepared, prepared_case, calls[i], true, others)) return wrong;
  }
  if (in_full == calls.size()) return std::nullopt;
  // Random outputs have no output check: each further call would be compared in full, for seconds where an
  // expectation takes long.
  if (in_full > 0 && verifier::is_random(prepared.task()) &&
      prepared_case.expectation_seconds() > long_expectation)
    return std::nullopt;
  return find_by_output_checks(prepared, prepared_case, calls, in_full, verified);
}

std::optional<WrongCall> find_wrong_call(PreparedTask& prepared, PreparedCase& prepared_case,
                                         TimedSlots& slots, std::size_t in_full, int& verified) {
  if (auto wrong = find_wrong_call(prepared, prepared_case, slots.remembered(), in_full, verified))
    return wrong;
  if (slots.sealed_samples().empty()) return std::nullopt;
  return find_wrong_call(prepared, prepared_case, slots.sealed_samples(), std::min<std::size_t>(in_full, 1),
                         verified);
}

}  // namespace ridgeline::judge
