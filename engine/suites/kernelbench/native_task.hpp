// A task file as a task like any other: what the oracle said of it, in the terms of core/task.hpp.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/task.hpp"
#include "engine/oracle/description.hpp"
#include "engine/suites/kernelbench/clone.hpp"

namespace ridgeline::suites::kernelbench {

/// One case, "published", timed, of the shapes that the file gives. Parameters: forward's, the state, the
/// outputs, in this order. Inputs whose making the oracle could follow are drawn by the judge, and so in all
/// three input sets; others, and the state, by the file's own code. `text` is the file's; `backend` where the
/// case is for ("cpu" or "cuda"). Throws BadInput naming what no kernel can be given: an input that is
/// neither tensor nor number, more tensors than a call takes.
Task native_task(const TaskFile& file, std::string text, const oracle::Description& description,
                 std::string_view backend);

/// Length of the longest chain of additions that the contract assumes: the longest sum of one operator, or
/// what counts alone tell where that is more: multiplications and additions an output element, and input
/// elements an output element.
double assumed_reduction(const oracle::Description& description);

}  // namespace ridgeline::suites::kernelbench
