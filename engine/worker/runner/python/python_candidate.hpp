// A candidate that an interpreter holds, behind callbacks.
#pragma once

#include <memory>

#include "engine/worker/runner/candidate.hpp"
#include "engine/worker/runner/python/callbacks.hpp"

namespace ridgeline::runner::python {

/// `callbacks` must live as long.
std::unique_ptr<Candidate> make_python_candidate(const Callbacks& callbacks);

}  // namespace ridgeline::runner::python
