// Serves a judge's orders for the life of a runner: load a candidate, then map, arrange and call, until the
// judge is gone.
#pragma once

#include <memory>

#include "engine/worker/runner/candidate.hpp"
#include "engine/worker/runner/counting.hpp"
#include "engine/worker/runner/input_unsealer.hpp"
#include "engine/worker/runner/side.hpp"

namespace ridgeline::runner {

/// Names the lockdowns (sandbox/lockdown.hpp) that the process lays on itself.
enum class Lockdowns {
  none,
  device,       ///< before the candidate is loaded; wider, since a GPU's driver needs more
  interpreter,  ///< before the candidate is loaded, and no other: an interpreter opens and maps files later
                ///< too
  library       ///< before a library is loaded, and a narrower one before its first call
};

/// What a runner on a device can do beside calling.
struct Means {
  std::unique_ptr<Counting> counting;       ///< null: calls are never counted
  std::unique_ptr<InputUnsealer> unsealer;  ///< null: inputs are never sealed
};

/// Says `ready` on `channel`, which the caller owns, then serves orders in this thread. Returns when the
/// judge is gone, or at a packet shorter than a Header. Throws MachineCannot if a lockdown cannot be laid.
void serve(int channel, std::unique_ptr<Side> side, std::unique_ptr<Candidate> candidate, Lockdowns lockdowns,
           Means means = {});

}  // namespace ridgeline::runner
