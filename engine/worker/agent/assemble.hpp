// Composes verdicts from the results of the build and of the judge, or from their failures. Does no I/O.
#pragma once

#include <string>

#include "engine/worker/agent/ports.hpp"

namespace ridgeline::agent {

/// Returns the key of a build: a hash of everything that changes its artefact. Requests with one key share a
/// build.
std::string build_key(const protocol::Evaluate& request);

/// Returns the backend of a device: "cuda" for "cuda:1".
std::string backend_of_device(const std::string& device);

/// Returns the verdict on a candidate that did not build.
Verdict build_failed_verdict(const protocol::Evaluate& request, const BuildOutcome& build);

/// Returns the judge's verdict with the results of the build added.
Verdict with_build(Verdict verdict, const protocol::Evaluate& request, const BuildOutcome& build);

/// Returns the verdict on a candidate that was built but that no judge could measure; `why` says how the
/// judge failed.
Verdict judge_failed_verdict(const protocol::Evaluate& request, const BuildOutcome& build,
                             const std::string& why);

/// Returns the verdict on a candidate that was built for a backend without a device here.
Verdict no_device_verdict(const protocol::Evaluate& request, const BuildOutcome& build);

/// Returns the verdict on a request that is refused before its build: no compiler, no such language.
Verdict refused_verdict(const protocol::Evaluate& request, Reason reason, const std::string& why);

}  // namespace ridgeline::agent
