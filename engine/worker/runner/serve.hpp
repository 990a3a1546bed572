// The runner's whole life: told to load a candidate, then to map, arrange and call, until the judge is gone.
#pragma once

#include <memory>

#include "engine/worker/runner/candidate.hpp"
#include "engine/worker/runner/counting.hpp"
#include "engine/worker/runner/side.hpp"

namespace ridgeline::runner {

/// Which of the two lockdowns (sandbox/lockdown.hpp) are laid on the process on the way.
enum class Lockdowns {
  none,
  device,   ///< before the candidate is loaded: a GPU's driver needs more than the others leave
  loading,  ///< before the candidate is loaded, and for good: an interpreter goes on opening and mapping
            ///< files
  both      ///< and the narrower one before its first call
};

/// Single-threaded. Returns when the judge's end of `channel` is closed. Throws MachineCannot where a
/// lockdown cannot be laid. `counting`: null where calls are never counted.
void serve(int channel, std::unique_ptr<Side> side, std::unique_ptr<Candidate> candidate, Lockdowns lockdowns,
           std::unique_ptr<Counting> counting = nullptr);

}  // namespace ridgeline::runner
