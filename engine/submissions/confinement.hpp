// The sandbox of a Python that runs submissions.
#pragma once

#include <filesystem>

#include "engine/submissions/lane.hpp"
#include "engine/worker/sandbox/policy.hpp"

namespace ridgeline::submissions {

/// Admits the interpreter and its packages, the compilers that Triton calls, the clone for reading, `folder`
/// for writing, and the GPU where one is used. No network, no environment of the user's.
sandbox::Policy policy_for(const LaneSettings& settings, const std::filesystem::path& folder);

}  // namespace ridgeline::submissions
