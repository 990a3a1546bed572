// A module's reference in a runner of its own, so that the baseline is timed as a candidate is.
#pragma once

#include <filesystem>
#include <memory>

#include "engine/core/task.hpp"
#include "engine/worker/judge/runners/runner_pool.hpp"

namespace ridgeline::judge {

/// Takes an interpreter from the pool, has it construct `task`'s own Model, and gives it to the caller. Waits
/// for that. The weights come later, with the inputs of calls. The reference is trusted, and confined all the
/// same. Writes a job file into `scratch`, and removes it once it was read. Throws BadInput if the module
/// cannot be constructed or the runner ends meanwhile, MachineCannot if no interpreter starts or the file
/// cannot be written.
std::unique_ptr<RunnerProcess> start_reference(const Task& task, RunnerPool& runners,
                                               const std::filesystem::path& scratch);

}  // namespace ridgeline::judge
