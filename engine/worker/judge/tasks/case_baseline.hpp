// Owns the baseline that a case keeps over candidates: which measurement is kept, whether a later check
// confirmed it, and how long a call of the reference takes. Fed with what happened, it decides what is kept
// and when that is measured anew. Nobody else writes this state.
//
// Decisions on plain numbers: no clock, no process, no device. Copy it to take back what comes after.
#pragma once

#include <optional>

#include "engine/core/timing.hpp"

namespace ridgeline::judge {

/// Drift, either way, from which a baseline is measured anew if a busy host slows both sides.
inline constexpr double most_drift = 1.15;
/// The same if a busy host slows the baseline alone, for one that has become faster: what was kept is then of
/// a moment when the host was slow.
inline constexpr double most_quicker = 1.03;

/// Which side a busy host slows. On a CPU both; on a device both if an interpreter launches the candidate's
/// kernels as it does the reference's. A native candidate launches once or twice and its eager baseline
/// often, so there the host slows the baseline alone.
enum class BusyHostSlows { both, baseline_alone };

/// Returns whether a baseline that now takes `drift` times as long as the kept one is measured anew.
bool has_drifted(double drift, BusyHostSlows slows);
/// Returns whether `measured` takes the place of `kept`. If a busy host slows the baseline alone, it must be
/// faster beyond doubt, with intervals apart: else the minimum of many measurements would be kept.
bool replaces(const Duration& measured, const Duration& kept, BusyHostSlows slows);

class CaseBaseline {
 public:
  enum class AfterCheck { stands, measure_anew };

  /// Returns the kept baseline, cold; empty before the first measurement.
  const std::optional<Duration>& kept() const { return kept_; }
  /// Returns whether a check after the measurement found it no shorter.
  bool confirmed() const { return confirmed_; }
  /// Returns rough seconds of one call of the reference in the task's dtype; 0 before its first run.
  double reference_seconds() const { return reference_seconds_; }
  /// Returns whether it is to be measured or checked now: nothing is kept, nothing has confirmed it yet, or
  /// `check` wants it checked all the same.
  bool is_due(bool check) const { return !kept_ || !confirmed_ || check; }
  /// Returns `seconds` over the kept time. Throws std::logic_error if nothing is kept.
  double drift_of(double seconds) const;

  // Events that change the kept baseline. Times are seconds a call.

  /// The reference computed an expectation, at `seconds` a run. That figure is rough, so it counts only until
  /// another one is known.
  void expectation_drawn(double seconds);
  /// A few samples took `drift` times the kept time. Returns whether a full measurement must follow; only one
  /// that is slower now, or that has not drifted, is confirmed by them. Throws std::logic_error if nothing is
  /// kept.
  AfterCheck check_ended(double drift, BusyHostSlows slows);
  /// It was measured in full while the candidate was paused. Keeps `measured`, unconfirmed, if it is the
  /// first or `replaces` the kept one; else the kept one is confirmed, since the full measurement contradicts
  /// the check before it.
  void measurement_ended(Duration measured, BusyHostSlows slows);
  /// It was measured in interleaved A/B rounds. Keeps `measured`, unconfirmed: a candidate that is timed
  /// alone, without rounds, checks it first.
  void rounds_ended(Duration measured);
  /// The device had other work meanwhile, which slowed all that was measured since `before`: takes it back.
  void measured_beside_other_work(const CaseBaseline& before);
  /// The candidate computed although it was paused. Takes back all since `before`, and leaves it unconfirmed:
  /// no later candidate may be compared with what this one slowed.
  void candidate_ran_meanwhile(const CaseBaseline& before);

 private:
  void keep(Duration measured);

  std::optional<Duration> kept_;
  bool confirmed_ = false;
  double reference_seconds_ = 0;
};

}  // namespace ridgeline::judge
