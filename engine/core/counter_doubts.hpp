// Whether counters can be what they claim. They come from a process that a candidate shares, so they are held
// against what the judge measured or knows: a clock, the bytes that cannot be avoided, the ceilings of the
// device.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/core/roofline.hpp"

namespace ridgeline {

/// Each a clause with its numbers; none where nothing contradicts. `seconds`: the judge's cold time of the
/// call.
std::vector<std::string> doubts_about(std::span<const Counter> counters, const Ceilings& ceilings,
                                      double needed_bytes, double seconds);

}  // namespace ridgeline
