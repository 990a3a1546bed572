// Time that a runner hides from whole windows: a reply that is early by as much after both batches of a pair
// makes their quotient shorter, and their difference, the slope, no smaller. A decision without I/O.
#pragma once

#include <vector>

namespace ridgeline::judge {

/// By how much slopes exceed whole windows. `ours` and `theirs`: slope over quotient, of each pair of the
/// candidate and of its baseline, whose overhead may have been overestimated for both alike. 1 where it is
/// little, or where there are too few pairs to tell it from what a busy host does: the intervals of both
/// medians must be apart.
double hidden_time(const std::vector<double>& ours, const std::vector<double>& theirs);

}  // namespace ridgeline::judge
