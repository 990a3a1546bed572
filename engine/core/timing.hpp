// What the judge's clock said. All times in seconds a call.
#pragma once

#include <string>
#include <vector>

#include "engine/core/names.hpp"

namespace ridgeline {

/// The median of the samples and a 95 % interval of it; of a baseline in turns, what quick turns took.
struct Duration {
  double median = 0;
  double low = 0;
  double high = 0;
  /// One a slope, raw, so that every score can be computed again; in turns (module_rounds.cpp) one a round:
  /// the baseline's turn as it was, and the candidate's as that round's quotient of the baseline's time.
  std::vector<double> samples;
  bool converged = false;  ///< false: the cap on measuring time ended it
};

struct CaseTiming {
  std::string case_name;
  Duration cold;              ///< caches flushed before every call: the score
  Duration hot;               ///< operands cached, launched one by one: advisory
  Duration baseline_cold;     ///< eager LibTorch under the same conditions
  double baseline_drift = 1;  ///< the baseline now over the baseline kept; 1 where nobody looked: on a device
                              ///< one case, at random, stands for all until it has drifted
  double claimed = 0;         ///< the runner's own figure for cold, never trusted; 0 if none
  double cpu_seconds = 0;     ///< the runner's CPU time a call, read from outside
  int slots_verified = 0;     ///< timed calls whose outputs were compared afterwards
  double speedup = 0;         ///< baseline_cold.median / cold.median
  double speedup_low = 0, speedup_high = 0;  ///< from the ends of both intervals
  double clock_hz = 0;  ///< of the device while cold was measured; 0 where it has none of its own
  Duration replayed;    ///< as hot, by a graph of the device: without what each launch costs; advisory
  double energy = 0;    ///< joules of a call, all that the device drew meanwhile; 0 where not measured
  double energy_above_idle = 0;  ///< of them, what it would not have drawn waiting
};

/// Of a module, in turns with its baseline, whose time then has no spread of its own. Times of two
/// evaluations are of two states of the host, and each is known by the baseline beside it.
bool in_turns(const CaseTiming& one);

struct Timing {
  std::vector<CaseTiming> cases;
  double speedup = 0;  ///< geometric mean over cases
  double speedup_low = 0, speedup_high = 0;
  std::string baseline;  ///< what the baseline is: "eager LibTorch 2.11.0, 1 thread, float32"
};

/// Fills the speed-ups of each case and of the whole from the durations.
void score(Timing& timing);

}  // namespace ridgeline
