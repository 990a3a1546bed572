// From the ticks that a runner counts to seconds.
#pragma once

namespace ridgeline::judge {

/// Seconds per tick of the processor's time stamp counter (runner/ticks.hpp). Measured once, in 10 ms.
double seconds_per_tick();

}  // namespace ridgeline::judge
