// From batches of calls to the time of one call, and to what the clocks say against each other. Numbers in, a
// decision out: no clock, no process.
//
// A sample is two batches of 2K and K calls on fresh, flushed slots, in random order. Its slope
// (T(2K) - T(K)) / K is free of whatever a batch costs besides its calls. Three tricks against slopes and
// what meets them:
// - wasting time in short batches, or doing the long one's work in them, makes slopes too small: the quotient
//   of both windows by all their calls, (T(2K) + T(K)) / 3K, less an overhead that was measured before the
//   candidate was loaded, cannot be lowered by moving work from one to the other, and is taken where the two
//   disagree;
// - working before the doorbell or after the reply: CPU time outside the windows is counted, and charged to
//   both batches of its pair. It is an act of single pairs, whatever the rest look like, so a fifth of them
//   is enough to dispute;
// - claiming less than the CPU time that was used inside the window. It gains nothing, since the clock of
//   the judge scores, and shows that clocks were played with: disputed where half of the pairs say so. A
//   single claim falls behind on an honest runner too, where the judge is kept from reading at the reply.
// Preemption by other programs lengthens the window and not the CPU time: such batches are set aside, and
// where nearly all are, CPU time itself is the clock (one thread: it counts all that was done).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/core/names.hpp"

namespace ridgeline::judge {

struct BatchTimes {
  double wall = 0;         ///< the judge's window in seconds: doorbell to reply
  double cpu = 0;          ///< CPU time of whoever computes, within the window, read from outside
  double outside_cpu = 0;  ///< its CPU time since the window before: work done while nobody had asked
  double claimed = 0;      ///< its own figure for its calls; 0 if it makes none
  double waited = 0;  ///< within it, for a core: the judge's thread and the caller's; 0 where nobody looks
  double settle = 0;  ///< from the reply until the device did something for the judge; 0 without one
};

/// What a batch without calls takes at most, seconds, from before a candidate was loaded: on a virtual
/// machine waking the other process up can cost the one that replies 100 µs.
struct Overhead {
  double wall = 0;
  double cpu = 0;  ///< of the runner
};

struct BatchPair {
  std::size_t calls = 1;  ///< K, of `single`; `twice` holds 2K
  BatchTimes twice;
  BatchTimes single;
  double clock = 0;  ///< of the device just after it, Hz; 0 where there is none to ask
};

enum class Clock { wall, cpu };
constexpr auto enum_names(Clock) {
  return std::to_array<Name<Clock>>({{Clock::wall, "wall"}, {Clock::cpu, "cpu"}});
}

enum class Estimator { slope, quotient };
constexpr auto enum_names(Estimator) {
  return std::to_array<Name<Estimator>>({{Estimator::slope, "slope"}, {Estimator::quotient, "quotient"}});
}

enum class Dispute { none, outside_window, claim_undercuts };
constexpr auto enum_names(Dispute) {
  return std::to_array<Name<Dispute>>({{Dispute::none, "none"},
                                       {Dispute::outside_window, "outside_window"},
                                       {Dispute::claim_undercuts, "claim_undercuts"}});
}

/// True if the window was not stretched by anything but the calls and a wake-up.
bool undisturbed(const BatchTimes& batch);
inline bool undisturbed(const BatchPair& pair) {
  return undisturbed(pair.twice) && undisturbed(pair.single);
}

/// Seconds a call.
double slope(const BatchPair& pair, Clock clock);
double quotient(const BatchPair& pair, Clock clock, const Overhead& overhead);

struct Evidence {
  std::vector<double> samples;  ///< seconds a call, all > 0
  Clock clock = Clock::wall;
  Estimator estimator = Estimator::slope;
  double agreement = 1;       ///< median slope over median quotient
  std::size_t pairs = 0;      ///< that were weighed
  std::size_t set_aside = 0;  ///< of them, those that preemption had disturbed
  double claimed = 0;         ///< median of its own figures, a call
  double cpu = 0;             ///< median CPU seconds a call
  double clock_hz = 0;        ///< median clock of the device; 0 where there is none to ask
  std::size_t slow = 0;       ///< pairs left out, since the device's clock was low
  Dispute dispute = Dispute::none;
  std::string detail;  ///< of a dispute: the figures
};

Evidence weigh(const std::vector<BatchPair>& pairs, const Overhead& overhead);

/// How a time came about where that was not by slopes of the wall clock, a line each, for people. No
/// suspicions: a busy machine brings them about under any kernel, and neither way of timing can be gained by.
std::vector<std::string> remarks_on(const Evidence& evidence);

}  // namespace ridgeline::judge
