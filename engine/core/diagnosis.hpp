// Where a kernel stands under its roof, in one sentence for people and for the next prompt; where a GPU's
// counters were read, with the two or three causes that weigh most, each with its number.
//
// Every threshold is a judgement, not a law: it stands in diagnosis.cpp with its reason, and the numbers
// themselves travel beside the sentence.
#pragma once

#include <span>
#include <string>

#include "engine/core/kernel_launch.hpp"
#include "engine/core/roofline.hpp"

namespace ridgeline {

/// `counted`: the part of the counted bytes or operations that there was time for; 1: all of them.
std::string diagnose_analytic(const Roofline& at, double counted);

/// A hot time beside it: "Hot, from the L3: 10.2 µs, 78 % of its bandwidth."
std::string diagnose_hot(const CachePlace& place, double seconds);

/// `at` with its counters; `dtype` of the task's first input; `launches` of the same call, or none.
std::string diagnose_counted(const Roofline& at, const Ceilings& ceilings, DType dtype,
                             std::span<const KernelLaunch> launches);

}  // namespace ridgeline
