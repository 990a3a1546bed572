// Decides how many timed calls of each case have their outputs compared in full, that is, against a tolerance
// of each element. The tolerances belong to the call's own inputs and are derived with them: an expectation
// is the right outputs for one set of inputs, with their tolerances, and takes several runs of the reference.
// The other calls get an output check, which takes one run and has bounds in place of tolerances
// (verifier/error_bounds.hpp). What such bounds let pass, in a few elements of most calls, is for the full
// comparisons to find. A decision without I/O.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/core/statistics.hpp"

namespace ridgeline::judge {

/// Seconds. All cases whose expectation takes longer share one full comparison.
inline constexpr double long_expectation = 0.25;

/// Returns how many calls of each case are compared in full. `seconds` has one element per case: how long an
/// expectation of the case takes to derive, or nullopt if it does not fit in memory; the count is 0 then. Of
/// the cases that take longer than long_expectation, one that `random` picks gets a count of 1, the others 0;
/// so a single long case gets 1. Each case that takes no longer gets 1, or 2 if `seconds` has no other
/// element. Without output checks (`have_output_checks`), as for random outputs, each long case gets 1. For a
/// long case wrong_call.hpp uses tolerances that were derived for earlier inputs, if there are
/// any, so the time is not always spent.
std::vector<std::size_t> full_comparisons(const std::vector<std::optional<double>>& seconds, Random& random,
                                          bool have_output_checks = true);

}  // namespace ridgeline::judge
