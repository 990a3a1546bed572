#include "engine/worker/judge/timing/quiet_baseline.hpp"

#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/timing/drained.hpp"
#include "profiler/metrics.hpp"

namespace ridgeline::judge {

namespace {
constexpr int kTries = 3;
}  // namespace

QuietLook keep_in_quiet(PreparedTask& prepared, PreparedCase& one, pid_t candidate,
                        const SamplingLimits& limits, bool look, BusyHostSlows slows) {
  if (one.baseline && one.baseline_confirmed && !look) return BaselineKept{1};
  const profiler::ScopedMetric metric("timing.baseline");
  const RunnerProcess::Pause quiet(candidate);
  const auto before = one.baseline;
  const bool was_confirmed = one.baseline_confirmed;
  const double reference_seconds = one.reference_seconds;
  const auto restore = [&](bool confirmed) {
    one.baseline = before;
    one.baseline_confirmed = confirmed;
    one.reference_seconds = reference_seconds;
  };
  auto& backend = prepared.backend();
  std::optional<double> drift;
  for (int tries = 0; tries < kTries && !drift && drained(backend); ++tries) {
    const double found = keep_baseline(prepared, one, limits, look, slows);
    if (idle(backend))
      drift = found;
    else
      restore(was_confirmed);
  }
  if (quiet.ran()) {
    restore(false);  // nobody else is held against what it slowed
    return CandidateRan{};
  }
  if (!drift && !before) return DeviceBusy{};
  return BaselineKept{drift};
}

}  // namespace ridgeline::judge
