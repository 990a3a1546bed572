#include "engine/worker/judge/timing/baseline.hpp"

#include "engine/worker/judge/timing/baseline_side.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {

namespace {
constexpr int kCheckPairs = 3;         // samples of a check: an outlier does not become the median
constexpr int kTriesBesideOthers = 3;  // measurements while the device has other work
}  // namespace

Duration to_duration(std::vector<double> samples, bool converged) {
  Duration duration;
  duration.median = median(samples);
  const auto interval = median_interval(samples);
  duration.low = interval.low;
  duration.high = interval.high;
  duration.samples = std::move(samples);
  duration.converged = converged;
  return duration;
}

double keep_baseline(PreparedTask& prepared, PreparedCase& prepared_case, const SamplingLimits& limits,
                     bool check, BusyHostSlows slows) {
  auto& baseline = prepared_case.baseline();
  const auto& kept = baseline.kept();
  if (!baseline.is_due(check)) return 1;
  // A module whose runner has ended since the stage began: the oracle could compute it, but under other
  // conditions, so its time is no baseline.
  if (prepared.task().module && !prepared.reference_runner().exists()) return 1;
  BaselineSide side(prepared, prepared_case);
  const auto take = [&](const SamplingLimits& within) {
    const auto calls = kept ? calls_per_batch(kept->median, side.slots().slots(), within) : 1;
    return sample(side.caller(), side.slots(), within, prepared.random(), profiler::wall_seconds, calls);
  };
  double drift = 1;
  auto full = limits;
  if (kept) {
    auto brief = limits;
    brief.floor_samples = kCheckPairs;
    brief.cap_seconds = limits.cap_seconds / 10;
    brief.elapsed_seconds = limits.elapsed_seconds / 10;
    const auto checked = side.weigh(take(brief).pairs);
    if (side.disturbed(checked) || checked.samples.empty() || kept->median <= 0) return 1;
    drift = baseline.drift_of(median(checked.samples));
    if (baseline.check_ended(drift, slows) == CaseBaseline::AfterCheck::stands) return drift;
    full.elapsed_seconds = limits.elapsed_seconds / 2;  // a machine that drifts may do so at every candidate
  }
  // Other work of the device lengthens the baseline, which would raise the speed-up.
  Sampling sampling;
  Evidence evidence;
  int tries = 0;
  do {
    sampling = take(full);
    evidence = side.weigh(sampling.pairs);
  } while (side.disturbed(evidence) && ++tries < kTriesBesideOthers);
  if (side.disturbed(evidence)) return drift;
  auto measured = to_duration(evidence.samples, sampling.end == SamplingEnd::enough);
  if (measured.median <= 0) return drift;
  baseline.measurement_ended(std::move(measured), slows);
  return drift;
}

}  // namespace ridgeline::judge
