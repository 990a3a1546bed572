// The runner's whole life: told to load a candidate, then to map, arrange and call, until the judge is gone.
#pragma once

namespace ridgeline::runner {

/// Single-threaded. Lays the two lockdowns on the process on the way (sandbox/lockdown.hpp); returns when the
/// judge's end of `channel` is closed. Throws MachineCannot where a lockdown cannot be laid.
void serve(int channel);

}  // namespace ridgeline::runner
