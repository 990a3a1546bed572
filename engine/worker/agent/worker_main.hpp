// Composes `ridgeline-worker` from its parts and runs it.
#pragma once

#include "engine/worker/agent/options.hpp"

namespace ridgeline::agent {

/// Runs until the input ends, SIGTERM or SIGINT comes, or every request in the mailbox has an answer. Then
/// kills every process that it started, removes the worker's scratch folder (scratch_folder.hpp) and ends
/// this process. Throws MachineCannot if the mailbox or the scratch folder cannot be made; a later Error is
/// logged and gives the exit status.
[[noreturn]] void run_worker(const Options& options);

}  // namespace ridgeline::agent
