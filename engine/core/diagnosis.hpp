// What a GPU's counters say of a kernel, in one sentence: how far from the roof, and the two or three causes
// that weigh most, each with its number. For people and for the next prompt.
//
// Every threshold is a judgement, not a law: it stands in diagnosis.cpp with its reason, and the numbers
// themselves travel beside the sentence.
#pragma once

#include <span>
#include <string>

#include "engine/core/kernel_launch.hpp"
#include "engine/core/roofline.hpp"

namespace ridgeline {

/// `at` with its counters; `dtype` of the task's first input; `launches` of the same call, or none.
std::string diagnose_counted(const Roofline& at, const Ceilings& ceilings, DType dtype,
                             std::span<const KernelLaunch> launches);

}  // namespace ridgeline
