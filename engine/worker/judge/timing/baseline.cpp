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

bool has_drifted(double drift, BusyHostSlows slows) {
  if (slows == BusyHostSlows::baseline_alone) return drift <= 1 / most_quicker;
  return drift >= most_drift || drift <= 1 / most_drift;
}

bool replaces(const Duration& measured, const Duration& kept, BusyHostSlows slows) {
  return slows == BusyHostSlows::both || measured.high < kept.low;
}

double keep_baseline(PreparedTask& prepared, PreparedCase& prepared_case, const SamplingLimits& limits,
                     bool check, BusyHostSlows slows) {
  auto& kept = prepared_case.baseline;
  if (kept && prepared_case.baseline_confirmed && !check) return 1;
  // A module whose runner has ended since the stage began: the oracle could compute it, but under other
  // conditions, so its time is no baseline.
  if (prepared.task().module && !prepared.reference_runner) return 1;
  BaselineSide baseline(prepared, prepared_case);
  const auto take = [&](const SamplingLimits& within) {
    const auto calls = kept ? calls_per_batch(kept->median, baseline.slots().slots(), within) : 1;
    return sample(baseline.caller(), baseline.slots(), within, prepared.random(), profiler::wall_seconds,
                  calls);
  };
  double drift = 1;
  auto full = limits;
  if (kept) {
    auto brief = limits;
    brief.floor_samples = kCheckPairs;
    brief.cap_seconds = limits.cap_seconds / 10;
    brief.elapsed_seconds = limits.elapsed_seconds / 10;
    const auto checked = baseline.weigh(take(brief).pairs);
    if (baseline.disturbed(checked) || checked.samples.empty() || kept->median <= 0) return 1;
    drift = median(checked.samples) / kept->median;
    prepared_case.baseline_confirmed = drift > 1 || !has_drifted(drift, slows);
    if (!has_drifted(drift, slows)) return drift;
    full.elapsed_seconds = limits.elapsed_seconds / 2;  // a machine that drifts may do so at every candidate
  }
  // Other work of the device lengthens the baseline, which would raise the speed-up.
  Sampling sampling;
  Evidence evidence;
  int tries = 0;
  do {
    sampling = take(full);
    evidence = baseline.weigh(sampling.pairs);
  } while (baseline.disturbed(evidence) && ++tries < kTriesBesideOthers);
  if (baseline.disturbed(evidence)) return drift;
  auto measured = to_duration(evidence.samples, sampling.end == SamplingEnd::enough);
  if (measured.median <= 0) return drift;
  if (kept && !replaces(measured, *kept, slows)) {
    prepared_case.baseline_confirmed = true;  // the full measurement contradicts the brief check
    return drift;
  }
  prepared_case.reference_seconds = measured.median;
  kept = std::move(measured);
  prepared_case.baseline_confirmed = false;
  return drift;
}

}  // namespace ridgeline::judge
