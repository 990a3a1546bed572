// A module's reference in a runner of its own, so that the baseline is timed as a candidate is.
#pragma once

#include <filesystem>
#include <memory>

#include "engine/core/task.hpp"
#include "engine/worker/judge/runners/runner_pool.hpp"

namespace ridgeline::judge {

/// Takes an interpreter from the pool and has it load `task`'s own Model. The reference is trusted, and
/// confined all the same. Throws BadInput where the module cannot be constructed, MachineCannot where no
/// interpreter starts.
std::unique_ptr<RunnerProcess> start_reference(const Task& task, RunnerPool& runners,
                                               const std::filesystem::path& scratch);

}  // namespace ridgeline::judge
