#include "engine/worker/judge/timing/round_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/sampling/hidden_time.hpp"
#include "engine/worker/judge/timing/baseline.hpp"

namespace ridgeline::judge {
namespace {

// Speed-ups of all rounds and of undisturbed ones that differ by less are the same.
constexpr double kAlike = 1.05;

/// Seconds a call of each round in which the side took time.
std::vector<double> positive_seconds(SideOfRound side, const std::vector<Round>& rounds) {
  auto seconds = seconds_of(side, rounds);
  std::erase(seconds, 0);
  return seconds;
}

/// Both times are those on a host that nothing slows, taken from what the baseline takes there: a candidate
/// cannot influence the baseline's rounds, and its own time alone would be of whatever state the host was in.
void summarize_both_sides(const InterleavedRounds& rounds, RoundSummary& summary) {
  auto samples = positive_seconds(&Round::baseline, rounds.rounds);
  const double level = undisturbed_seconds(samples);
  std::vector<double> candidate;
  for (const double quotient : quotients(rounds.rounds))
    candidate.push_back(summary.hidden * level / quotient);
  const bool enough = rounds.end == SamplingEnd::enough;
  summary.candidate = to_duration(std::move(candidate), enough);
  summary.baseline = Duration{
      .median = level, .low = level, .high = level, .samples = std::move(samples), .converged = enough};
  const double undisturbed = speedup_when_undisturbed(rounds.rounds) / summary.hidden;
  const double speedup = level / summary.candidate.median;
  if (std::max(undisturbed / speedup, speedup / undisturbed) > kAlike)
    summary.undisturbed_speedup = undisturbed;
}

void summarize_candidate_alone(const InterleavedRounds& rounds, RoundSummary& summary) {
  auto candidate = positive_seconds(&Round::candidate, rounds.rounds);
  for (double& seconds : candidate) seconds *= summary.hidden;
  summary.candidate = to_duration(std::move(candidate), rounds.end == SamplingEnd::enough);
}

}  // namespace

RoundSummary summarize(const InterleavedRounds& rounds, const RoundRatios& ratios, bool baseline_disturbed) {
  RoundSummary summary;
  // A candidate may hide time in a few rounds only, where it gains most: these are weighed by themselves too.
  summary.hidden = std::max(hidden_time(ratios.candidate, ratios.baseline),
                            hidden_time(ratios.better_half, ratios.baseline));
  summary.own_seconds = summary.hidden * median(seconds_of(&Round::candidate, rounds.rounds));
  summary.has_quotients = !quotients(rounds.rounds).empty();
  summary.below_timer_resolution = took_no_time(rounds.rounds);
  summary.capped = rounds.end == SamplingEnd::capped && !rounds.baseline_over;
  summary.rounds = rounds.rounds.size();
  if (rounds.baseline_over || !summary.has_quotients || baseline_disturbed)
    summarize_candidate_alone(rounds, summary);
  else
    summarize_both_sides(rounds, summary);
  return summary;
}

bool apply(const RoundSummary& summary, CaseTiming& measured, const CaseBaseline& baseline) {
  measured.cold = summary.candidate;
  const auto& kept = baseline.kept();
  if (!summary.baseline && (!kept || !summary.has_quotients)) return false;
  measured.baseline_cold = summary.baseline ? *summary.baseline : *kept;
  if (summary.baseline && kept) measured.baseline_drift = baseline.drift_of(summary.baseline->median);
  return true;
}

void keep(const RoundSummary& summary, CaseBaseline& baseline) {
  if (!summary.baseline) return;
  auto kept = *summary.baseline;
  // The verdict's interval is a point, since quotients carry the spread. A candidate that is timed alone is
  // compared with the baseline itself, so here the interval is the spread of its rounds.
  kept.low = *std::ranges::min_element(kept.samples);
  kept.high = std::max(kept.median, median(kept.samples));
  baseline.rounds_ended(std::move(kept));
}

std::vector<std::string> remarks_on(const RoundSummary& summary) {
  std::vector<std::string> remarks;
  if (summary.capped)
    remarks.push_back(
        fmt::format("the speed-up did not settle within {} rounds of it and its baseline: the host was busy, "
                    "or its calls are long",
                    summary.rounds));
  if (summary.undisturbed_speedup > 0)
    remarks.push_back(
        fmt::format("the host slowed it and its baseline differently: in the rounds in which the baseline "
                    "was quick the speed-up is {:.2f}",
                    summary.undisturbed_speedup));
  if (summary.hidden != 1)
    remarks.push_back(fmt::format("its times are multiplied by {:.2f}, by which slopes exceed whole batches",
                                  summary.hidden));
  return remarks;
}

}  // namespace ridgeline::judge
