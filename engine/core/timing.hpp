// Times of a candidate and its baseline by the judge's clock, in seconds a call. Plain data.
#pragma once

#include <string>
#include <vector>

#include "engine/core/names.hpp"

namespace ridgeline {

/// The median of the samples with its 95 % interval. For a baseline timed in interleaved A/B rounds, the time
/// of its fast rounds without an interval (see is_interleaved).
struct Duration {
  double median = 0;
  double low = 0;
  double high = 0;
  /// Raw, so that every score can be computed again: one for each slope, or in interleaved A/B rounds
  /// (engine/worker/judge/timing/module_rounds.hpp) one for each round. The baseline's is its time in that
  /// round; the candidate's is that round's quotient times the baseline's median.
  std::vector<double> samples;
  bool converged = false;  ///< false if the cap on measuring time ended it
};

/// Times of one case.
struct CaseTiming {
  std::string case_name;
  Duration cold;           ///< caches flushed before every call: the score
  Duration hot;            ///< operands cached, launched one by one: advisory
  Duration baseline_cold;  ///< eager LibTorch under the same conditions
  /// The baseline's time now over the time that is kept; 1 if it was not measured again. On a device one
  /// case, chosen at random, stands for all until it has drifted.
  double baseline_drift = 1;
  double claimed = 0;      ///< the time that the runner claims for cold, never trusted; 0 if none
  double cpu_seconds = 0;  ///< the runner's CPU time a call, read from outside
  int slots_verified = 0;  ///< timed calls whose outputs were compared afterwards
  double speedup = 0;      ///< baseline_cold.median / cold.median
  double speedup_low = 0, speedup_high = 0;  ///< from the ends of both intervals
  double clock_hz = 0;  ///< the device's clock while cold was measured; 0 if it has no clock of its own
  Duration replayed;    ///< hot calls replayed from a graph, without the cost of launches: advisory
  double energy = 0;    ///< joules that the device drew during a call; 0 if not measured
  double energy_above_idle = 0;  ///< the part of them that an idle device would not have drawn
};

/// Whether the case was timed in interleaved A/B rounds with its baseline, as modules are. The baseline's
/// time then has no spread of its own. Absolute times of two such evaluations belong to two states of the
/// host: only their ratios to the baseline beside them can be compared.
bool is_interleaved(const CaseTiming& timing);

/// Times of all timed cases, and the speed-up over them.
struct Timing {
  std::vector<CaseTiming> cases;
  double speedup = 0;  ///< geometric mean over cases
  double speedup_low = 0, speedup_high = 0;
  std::string baseline;  ///< a description of it: "eager LibTorch 2.11.0, 1 thread, float32"
};

/// Fills the speed-ups of each case and of the whole from the durations.
void score(Timing& timing);

}  // namespace ridgeline
