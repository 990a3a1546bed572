// Composes `ridgeline-worker` from its parts and runs it.
#pragma once

#include "engine/worker/agent/options.hpp"

namespace ridgeline::agent {

/// Runs until the input ends, a signal comes or the mailbox is answered. Then kills every process that it
/// started, removes its scratch folder and ends the process. Throws Error if it cannot start.
[[noreturn]] void run_worker(const Options& options);

}  // namespace ridgeline::agent
