#include "engine/worker/judge/timing/repeated_checks.hpp"

#include <c10/util/Exception.h>

#include <cstddef>
#include <utility>
#include <variant>

#include "engine/core/out_of_memory.hpp"
#include "engine/verifier/choice.hpp"
#include "engine/worker/judge/runners/runner_limits.hpp"
#include "profiler/metrics.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

constexpr int kMostRepeatedCalls = 64;  // an error in 4 of 100 calls escapes 7 times of 100
constexpr double kMostRepeatedSeconds = 2;
constexpr std::size_t kRepeatedSlots =
    2;  // as in the correctness stage: no call writes where the last one wrote

/// Returns whether the runner did as it was asked. Notes its end.
bool answered(const RunnerAnswer& answer, RepeatedChecks& checks) {
  if (const auto* end = std::get_if<RunnerExit>(&answer)) checks.ended = *end;
  return is_ok(answer);
}

/// Makes the calls, and counts them in `checks`.
void make_calls(PreparedTask& prepared, PreparedCase& prepared_case, RunnerProcess& runner, double call_limit,
                RepeatedChecks& checks) {
  const auto& task = prepared.task();
  const auto& definition = prepared_case.definition();
  auto& memory = prepared.backend().memory();
  const auto* secret = prepared_case.sets(InputSet::standard).latest();
  if (secret == nullptr || verifier::is_random(task) || memory.needs_streaming(task, definition)) return;
  const auto arena = memory.make_arena(task, definition, kRepeatedSlots);
  if (!answered(runner.map(*arena, runner_limits::map), checks)) return;
  const double begin = profiler::wall_seconds();
  while (checks.calls < kMostRepeatedCalls && profiler::wall_seconds() - begin < kMostRepeatedSeconds) {
    const auto slot = static_cast<std::size_t>(checks.calls) % kRepeatedSlots;
    arena->shift(slot);
    if (!answered(runner.arrange(*arena, kRepeatedSlots, task, definition, runner_limits::map), checks))
      break;
    arena->fill(slot, secret->inputs);
    arena->settle();
    if (!answered(runner.call(slot, 1, call_limit).answer, checks)) break;
    const auto seen = arena->inspect({.first = slot, .copied = {slot}});
    const auto compared =
        verifier::compare_outputs(prepared.reference(), task, definition, InputSet::standard, secret->inputs,
                                  secret->expected, seen.copies.front());
    ++checks.calls;
    checks.wrong += !compared.ok;
  }
}

}  // namespace

RepeatedChecks repeat_checks(PreparedTask& prepared, PreparedCase& prepared_case, RunnerProcess& runner,
                             double call_limit) {
  const profiler::ScopedMetric metric("timing.repeated_checks");
  RepeatedChecks checks;
  // The kernel is known to be wrong: that stands if there is no memory for another arena, or the reference
  // fails.
  try {
    make_calls(prepared, prepared_case, runner, call_limit, checks);
  } catch (const BadInput&) {
  } catch (const OutOfMemory&) {
  } catch (const c10::OutOfMemoryError&) {
  }
  return checks;
}

}  // namespace ridgeline::judge
