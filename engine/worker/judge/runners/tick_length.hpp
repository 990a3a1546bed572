// From the ticks that a runner counts to seconds.
#pragma once

namespace ridgeline::judge {

/// Seconds a tick of the processor's time stamp counter (runner/ticks.hpp); found once, in 10 ms.
double seconds_per_tick();

}  // namespace ridgeline::judge
