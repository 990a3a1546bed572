// Decides how many timed calls of each case are compared in full, against the tolerance of each element.
// Other calls get an output check whose room is a hundredth of the magnitude, which lower precision would
// pass. A decision without I/O.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/core/statistics.hpp"

namespace ridgeline::judge {

inline constexpr double long_expectation =
    0.25;  ///< seconds; an expectation that takes longer is made once only

/// Returns the number of full comparisons for each case. `seconds` says how long deriving an expectation of
/// the case takes; empty if there is no memory for one. A lone case gets two, several cases one each. Of the
/// cases whose expectation takes more than long_expectation, only one gets a comparison, chosen by `random`
/// (wrong_call.hpp does without it where it can).
std::vector<std::size_t> full_comparisons(const std::vector<std::optional<double>>& seconds, Random& random);

}  // namespace ridgeline::judge
