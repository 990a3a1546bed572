// A cheap look at a timed call's outputs, so that many can be looked at.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

/// Which elements are looked at: all, or some at random places. A call that left its work out is seen at any
/// of them, and many calls can be looked at in the time that one whole output takes.
enum class Look { all, some };

/// True if `outputs` lie near one run of the reference in the task's own dtype: within 1 % of each element
/// and of the mean magnitude; equal for integers. False says nothing yet: non-finite results, contracts that
/// leave a choice, and real faults all ask for the full comparison.
bool plainly_right(const PreparedTask& prepared, const Case& one, const std::vector<at::Tensor>& inputs,
                   const std::vector<at::Tensor>& outputs, Look look, Random& random);

}  // namespace ridgeline::judge
