// A cheap look at a timed call's outputs, so that many can be looked at.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "engine/worker/judge/prepared_task.hpp"

namespace ridgeline::judge {

/// True if `outputs` lie near one run of the reference in the task's own dtype: within 1 % of each element
/// and of the mean magnitude; equal for integers. False says nothing yet: non-finite results, contracts that
/// leave a choice, and real faults all ask for the full comparison.
bool plainly_right(const PreparedTask& prepared, const Case& one, const std::vector<at::Tensor>& inputs,
                   const std::vector<at::Tensor>& outputs);

}  // namespace ridgeline::judge
