// Puts a verdict together from what the build, the judge and their failures left. Pure.
#pragma once

#include <string>

#include "engine/worker/agent/ports.hpp"

namespace ridgeline::agent {

/// What a build is kept and shared by.
std::string build_key(const protocol::Evaluate& request);

/// The backend of a device: "cuda" of "cuda:1".
std::string backend_of_device(const std::string& device);

/// The build did not end in an artefact.
Verdict build_failed(const protocol::Evaluate& request, const BuildOutcome& build);

/// The judge's verdict with the build's part filled in.
Verdict with_build(Verdict verdict, const protocol::Evaluate& request, const BuildOutcome& build);

/// Built, and then no judge could say more.
Verdict judge_failed(const protocol::Evaluate& request, const BuildOutcome& build, const std::string& why);

/// Built, and no device here to run it on.
Verdict not_run(const protocol::Evaluate& request, const BuildOutcome& build);

/// No device, no compiler: refused before the build.
Verdict refused(const protocol::Evaluate& request, Reason reason, const std::string& why);

}  // namespace ridgeline::agent
