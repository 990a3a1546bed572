#include "engine/worker/judge/timing/baseline.hpp"

#include "engine/worker/judge/timing/baseline_side.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {

namespace {
constexpr int kCheckPairs = 3;
constexpr int kTriesBesideOthers = 3;
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

double keep_baseline(PreparedTask& prepared, PreparedCase& one, const SamplingLimits& limits, bool look,
                     BusyHostSlows slows) {
  if (one.baseline && one.baseline_confirmed && !look) return 1;
  // Its runner is over since the stage began: what the oracle takes is no baseline.
  if (prepared.task().module && !prepared.reference_runner) return 1;
  BaselineSide baseline(prepared, one);
  const auto take = [&](const SamplingLimits& some) {
    const auto calls =
        one.baseline ? calls_per_batch(one.baseline->median, baseline.slots().slots(), some) : 1;
    return sample(baseline.caller(), baseline.slots(), some, prepared.random(), profiler::wall_seconds,
                  calls);
  };
  double drift = 1;
  auto full = limits;
  if (one.baseline) {
    auto brief = limits;
    brief.floor_samples = kCheckPairs;
    brief.cap_seconds = limits.cap_seconds / 10;
    brief.elapsed_seconds = limits.elapsed_seconds / 10;
    const auto check = baseline.weigh(take(brief).pairs);
    if (baseline.disturbed(check) || check.samples.empty() || one.baseline->median <= 0) return 1;
    drift = median(check.samples) / one.baseline->median;
    one.baseline_confirmed = drift > 1 || !has_drifted(drift, slows);
    if (!has_drifted(drift, slows)) return drift;
    full.elapsed_seconds = limits.elapsed_seconds / 2;  // a machine that drifts may do so at every candidate
  }
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
  if (one.baseline && !replaces(measured, *one.baseline, slows)) {
    one.baseline_confirmed = true;  // the look was too brief
    return drift;
  }
  one.reference_seconds = measured.median;
  one.baseline = std::move(measured);
  one.baseline_confirmed = false;
  return drift;
}

}  // namespace ridgeline::judge
