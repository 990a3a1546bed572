// The whole of `ridgeline-worker`, put together.
#pragma once

#include "engine/worker/agent/options.hpp"

namespace ridgeline::agent {

/// Runs until the input ends, a signal comes or the mailbox is answered, sees to it that nothing it started
/// is left, and ends the process. Throws Error if it cannot even begin.
[[noreturn]] void run_worker(const Options& options);

}  // namespace ridgeline::agent
