// The runner's whole life: told to load a candidate, then to map, arrange and call, until the judge is gone.
#pragma once

#include <memory>

#include "engine/worker/runner/side.hpp"

namespace ridgeline::runner {

/// Single-threaded. If `locked`, lays the two lockdowns on the process on the way (sandbox/lockdown.hpp); a
/// GPU's driver needs more than they leave. Returns when the judge's end of `channel` is closed. Throws
/// MachineCannot where a lockdown cannot be laid.
void serve(int channel, std::unique_ptr<Side> side, bool locked);

}  // namespace ridgeline::runner
