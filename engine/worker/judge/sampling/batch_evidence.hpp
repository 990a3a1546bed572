// Turns batches of calls into the time of one call, and decides whether the clocks contradict each other.
// Plain numbers: no clock, no process.
//
// A sample is a longer and a shorter batch of calls on fresh, flushed slots, in random order. Its slope, the
// difference of their windows over that of their calls, is free of the fixed cost of a batch. Three tricks
// can be played against slopes, and each is met:
// - Wasting time in short batches, or doing the long batch's work in them, makes slopes too small. The
// quotient of both windows by all their calls, less an overhead that was measured before the candidate was
// loaded, cannot be lowered by moving work between batches; it is used where the median slope is
// clearly below it (0.97 of it on a CPU, 0.9 on a device).
// - Working before the doorbell or after the reply: CPU time outside the windows is counted, and charged to
// both batches of its pair. A candidate may do so in single pairs only, so a fifth of the pairs is enough
// for a dispute.
// - Claiming less than the CPU time that was used inside the window. That gains nothing, since the judge's
// clock scores, but it shows that clocks were tampered with: disputed if half of the pairs say so. A single
// claim falls short on an honest runner too, when the judge is delayed in reading the reply.
// Preemption by other programs lengthens the window and not the CPU time. Such batches are set aside; if
// nearly all are disturbed, CPU time is the clock (with one thread it counts all work).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/names.hpp"

namespace ridgeline::judge {

/// The times of one batch.
struct BatchTimes {
  double wall = 0;         ///< the judge's window in seconds: doorbell to reply
  double cpu = 0;          ///< CPU time of the computing process within the window, read from outside
  double outside_cpu = 0;  ///< its CPU time since the previous window: work that was not asked for
  double claimed = 0;      ///< the runner's own figure for its calls; 0 if it gives none
  double waited =
      0;  ///< for a core, within the window, by the judge's thread and the caller; 0 if not measured
  double settle = 0;  ///< from the reply until the device did something for the judge; 0 without a device
  /// Seconds for which the device may have worked for others while the batch's slots were filled: the longest
  /// such time, or all of it if outputs changed meanwhile. 0 without a device.
  double interruption = 0;
};

/// The longest `interruption` of a filling that held the device all the time. Changing to another process's
/// context and back takes longer.
inline constexpr double most_interruption = 40e-6;  // seconds

/// What batches without calls take, in seconds: upper quartiles, measured before a candidate was loaded. In
/// interleaved rounds `wall` is the median of the baseline's empty batches, measured during the rounds. On a
/// virtual machine, waking the other process can cost the process that replies 100 µs.
struct Overhead {
  double wall = 0;
  double cpu = 0;  ///< CPU time of the runner
};

/// One sample: two batches.
struct BatchPair {
  std::size_t longer_calls = 2;
  std::size_t shorter_calls = 1;
  BatchTimes longer;
  BatchTimes shorter;
  double clock = 0;  ///< the device's clock just after it, Hz; 0 without a device

  /// The calls that the longer batch has more than the shorter one.
  double calls_apart() const { return static_cast<double>(longer_calls - shorter_calls); }
  double all_calls() const { return static_cast<double>(longer_calls + shorter_calls); }
};

/// Whether others may have worked on the slots of either batch before its window. Such a pair times nothing.
inline bool interrupted(const BatchPair& pair) {
  return pair.longer.interruption > most_interruption || pair.shorter.interruption > most_interruption;
}

/// Selects which time of a batch counts: BatchTimes::wall or BatchTimes::cpu.
enum class Clock { wall, cpu };
constexpr auto enum_names(Clock) {
  return std::to_array<Name<Clock>>({{Clock::wall, "wall"}, {Clock::cpu, "cpu"}});
}

/// How a pair becomes seconds a call.
enum class Estimator { slope, quotient };
constexpr auto enum_names(Estimator) {
  return std::to_array<Name<Estimator>>({{Estimator::slope, "slope"}, {Estimator::quotient, "quotient"}});
}

/// How clocks contradict each other.
enum class Dispute { none, outside_window, claim_undercuts };
constexpr auto enum_names(Dispute) {
  return std::to_array<Name<Dispute>>({{Dispute::none, "none"},
                                       {Dispute::outside_window, "outside_window"},
                                       {Dispute::claim_undercuts, "claim_undercuts"}});
}

/// Whether nothing but the calls and a wake-up stretched the window.
bool undisturbed(const BatchTimes& batch);
inline bool undisturbed(const BatchPair& pair) {
  return undisturbed(pair.longer) && undisturbed(pair.shorter);
}

/// Returns the slope of an undisturbed pair by wall time, seconds a call. A disturbed pair has none, as
/// `weigh` sets it aside.
std::optional<double> undisturbed_slope(const BatchPair& pair);

/// Seconds a call, by either estimator.
double slope(const BatchPair& pair, Clock clock);
double quotient(const BatchPair& pair, Clock clock, const Overhead& overhead);

/// Combines all pairs of a measurement into samples, and states whether the clocks contradict each other.
struct Evidence {
  std::vector<double> samples;  ///< seconds a call, all > 0
  Clock clock = Clock::wall;
  Estimator estimator = Estimator::slope;
  double agreement = 1;         ///< median slope over median quotient; 1 if that is 0
  std::size_t pairs = 0;        ///< all that were given, those left out included
  std::size_t set_aside = 0;    ///< pairs that preemption disturbed
  double claimed = 0;           ///< median of the runner's own figures, seconds a call
  double cpu = 0;               ///< median CPU seconds a call
  double clock_hz = 0;          ///< median clock of the device; 0 without a device
  std::size_t interrupted = 0;  ///< pairs left out because the filling of their slots was interrupted
  std::size_t slow = 0;         ///< other pairs left out because the device's clock was low
  Dispute dispute = Dispute::none;
  std::string detail;  ///< of a dispute: its figures
};

/// Weighs the pairs of a caller on the CPU. Leaves `clock_hz`, `interrupted` and `slow` at 0; those belong to
/// the device, whose pairs weigh_on_device (cuda_evidence.hpp) weighs.
Evidence weigh(const std::vector<BatchPair>& pairs, const Overhead& overhead);

/// Says what was unusual in the measuring, a line each, for people: CPU time was the clock, pairs were left
/// out at a low clock of the device or since their filling was interrupted, or the quotient is the estimator
/// at an agreement below 0.9, where calls in short batches cost far more. On the CPU a quotient at an
/// agreement of 0.9 to 0.97 gets no line. These are no flags: a busy machine causes them under any kernel,
/// and no candidate gains by any.
std::vector<std::string> remarks_on(const Evidence& evidence);

}  // namespace ridgeline::judge
