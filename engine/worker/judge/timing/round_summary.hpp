// Summarizes interleaved A/B rounds of a module and its reference: both sides' times, the baseline that is
// kept, and remarks for people. Decides on plain numbers: no clock, no process.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/timing.hpp"
#include "engine/worker/judge/sampling/interleaved_rounds.hpp"
#include "engine/worker/judge/tasks/case_baseline.hpp"

namespace ridgeline::judge {

/// Slope over quotient of each pair, by the backend's clocks (hidden_time.hpp says what they show).
struct RoundRatios {
  std::vector<double> candidate, baseline;
  std::vector<double> better_half;  ///< of the candidate, in the rounds of `better_half` alone
};

/// The figures of all rounds. Times are seconds a call.
struct RoundSummary {
  Duration candidate;  ///< as on an undisturbed host, if the baseline was measured; else as it was measured
  std::optional<Duration> baseline;  ///< empty: it could not be measured in these rounds
  double own_seconds = 0;            ///< median of the candidate's own windows, whatever the host did to them
  double hidden = 1;                 ///< factor on the candidate's times for what its early replies hid
  bool has_quotients = false;        ///< in some round both sides took time
  bool below_timer_resolution = false;  ///< the candidate's windows were as short as empty ones
  bool capped = false;                  ///< the rounds ended before the speed-up was precise enough
  std::size_t rounds = 0;
  /// Speed-up in the rounds in which the host did not slow the baseline; 0 if it is about that of all rounds.
  double undisturbed_speedup = 0;
};

/// Summarizes the rounds. `baseline_disturbed`: the device had other work when the baseline's batches ended,
/// so that the baseline's times are not used.
RoundSummary summarize(const InterleavedRounds& rounds, const RoundRatios& ratios, bool baseline_disturbed);

/// Enters both sides' times into `measured`. If the rounds gave no baseline, enters the one that `baseline`
/// keeps. Returns false if there is none either; then only the candidate's time is entered.
bool apply(const RoundSummary& summary, CaseTiming& measured, const CaseBaseline& baseline);

/// Has the case keep the rounds' baseline. No-op if they gave none.
void keep(const RoundSummary& summary, CaseBaseline& baseline);

/// Says for people what was unusual about the rounds, a sentence each.
std::vector<std::string> remarks_on(const RoundSummary& summary);

}  // namespace ridgeline::judge
