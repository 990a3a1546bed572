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
  auto& baseline = prepared_case.baseline();
  if (!baseline.is_due(check)) return BaselineKept{1};
  const profiler::ScopedMetric metric("timing.baseline");
  const RunnerProcess::Pause pause(candidate);
  const CaseBaseline before = baseline;
  auto& telemetry = prepared.backend().telemetry();
  std::optional<double> drift;
  for (int tries = 0; tries < kTries && !drift && wait_until_idle(telemetry); ++tries) {
    const double measured = keep_baseline(prepared, prepared_case, limits, check, slows);
    // Work that began while the baseline ran slowed it. That shows only now, so it is taken back.
    if (is_idle(telemetry))
      drift = measured;
    else
      baseline.measured_beside_other_work(before);
  }
  if (pause.ran()) {
    baseline.candidate_ran_meanwhile(before);
    return CandidateRan{};
  }
  if (!drift && !before.kept()) return DeviceBusy{};
  return BaselineKept{drift};
}

}  // namespace ridgeline::judge
