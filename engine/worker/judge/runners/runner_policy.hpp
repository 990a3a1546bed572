// The sandbox and the command line that a runner is started with.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/worker/judge/runners/runner_process.hpp"

namespace ridgeline::judge {

/// Returns the sandbox of a runner with these settings. The runner may read `scratch_folder`, which holds
/// the candidate's library. A runner that compiles shares one folder under `settings.scratch_parent`
/// with all others, for writing; it is created here. Throws std::filesystem_error if it cannot be.
sandbox::Policy runner_policy(const RunnerSettings& settings, const std::filesystem::path& scratch_folder);

/// Returns the program of the runner and its arguments.
std::vector<std::string> runner_command(const RunnerSettings& settings);

}  // namespace ridgeline::judge
