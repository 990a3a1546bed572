// How many of the timed calls of each case are compared in full, against the tolerance of each element; the
// others are looked at, with room of a hundredth, which lower precision would pass. A decision without I/O.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/core/statistics.hpp"

namespace ridgeline::judge {

inline constexpr double long_expectation = 0.25;  ///< seconds that deriving one takes

/// `seconds`: of each case what making one expectation takes; none where there is no memory for one. Two
/// calls of a lone case, one of each where there are several. Where an expectation takes more than
/// long_expectation it is one call of one case, which `random` chooses among such (wrong_call.hpp does
/// without it where it can).
std::vector<std::size_t> full_comparisons(const std::vector<std::optional<double>>& seconds, Random& random);

}  // namespace ridgeline::judge
