// Checks whether counters are possible. They come from a process that the candidate shares and could write
// to, so they are compared with facts that the judge knows: its own clock, the bytes that must move, the
// ceilings of the device.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/core/roofline.hpp"

namespace ridgeline {

/// Returns a clause with its numbers for each contradiction. `seconds` is the judge's cold time of the call;
/// `needed_bytes` is its compulsory traffic.
std::vector<std::string> doubts_about(std::span<const Counter> counters, const Ceilings& ceilings,
                                      double needed_bytes, double seconds);

/// Returns why counter::kernel_seconds cannot be right where the judge's cold time of the call is `seconds`,
/// or where `needed_bytes` had to be moved in it; "" if it can, or was not counted. It says nothing about the
/// other counters, which other calls gave.
std::string doubt_about_kernel_time(std::span<const Counter> counters, const Ceilings& ceilings,
                                    double needed_bytes, double seconds);

}  // namespace ridgeline
