#include "engine/worker/judge/timing/idle_baseline.hpp"

#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/timing/device_idle.hpp"
#include "profiler/metrics.hpp"

namespace ridgeline::judge {

namespace {
constexpr int kTries = 3;
}  // namespace

BaselineOutcome measure_idle_baseline(PreparedTask& prepared, PreparedCase& prepared_case, pid_t candidate,
                                      const SamplingLimits& limits, bool check, BusyHostSlows slows) {
  if (prepared_case.baseline && prepared_case.baseline_confirmed && !check) return BaselineKept{1};
  const profiler::ScopedMetric metric("timing.baseline");
  const RunnerProcess::Pause pause(candidate);
  const auto before = prepared_case.baseline;
  const bool was_confirmed = prepared_case.baseline_confirmed;
  const double reference_seconds = prepared_case.reference_seconds;
  const auto restore = [&](bool confirmed) {
    prepared_case.baseline = before;
    prepared_case.baseline_confirmed = confirmed;
    prepared_case.reference_seconds = reference_seconds;
  };
  auto& backend = prepared.backend();
  std::optional<double> drift;
  for (int tries = 0; tries < kTries && !drift && wait_until_idle(backend); ++tries) {
    const double measured = keep_baseline(prepared, prepared_case, limits, check, slows);
    // Work that began while the baseline ran slowed it. That shows only now, so it is undone.
    if (is_idle(backend))
      drift = measured;
    else
      restore(was_confirmed);
  }
  if (pause.ran()) {
    restore(false);  // no later candidate may be compared with what this one slowed
    return CandidateRan{};
  }
  if (!drift && !before) return DeviceBusy{};
  return BaselineKept{drift};
}

}  // namespace ridgeline::judge
