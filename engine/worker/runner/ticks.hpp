// Reads the processor's time stamp counter (on Arm: its generic timer). A runner measures a batch with it,
// without a system call, and reports the difference of two readings. The judge measures how long a tick is,
// and converts (judge/runners/tick_length.hpp).
#pragma once

#include <cstdint>

namespace ridgeline::runner {

/// Returns the counter, in ticks of constant length, once earlier instructions are done. Any thread.
std::uint64_t ticks();

}  // namespace ridgeline::runner
