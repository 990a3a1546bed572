// A candidate that an interpreter holds, behind callbacks.
#pragma once

#include <memory>

#include "engine/worker/runner/candidate.hpp"
#include "engine/worker/runner/python/callbacks.hpp"
#include "engine/worker/runner/python/module_calls.hpp"

namespace ridgeline::runner::python {

/// Both must live as long. `calls` calls the slots if the candidate is a module.
std::unique_ptr<Candidate> make_python_candidate(const Callbacks& callbacks, ModuleCalls& calls);

}  // namespace ridgeline::runner::python
