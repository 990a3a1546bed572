// Checks that this machine has what scoring needs: a GPU, a Python with torch, a sandbox. Says what is
// missing, and how to mend it, before a submission is run.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "engine/submissions/lane.hpp"
#include "engine/submissions/metrics.hpp"
#include "engine/submissions/scoring.hpp"

namespace ridgeline::submissions {

/// Reads `device`, and looks for the device's nodes, the sandbox and the Python; starts no process but the
/// question to the Python what it is. Throws BadInput for an unknown device, MachineCannot.
LaneSettings lane_settings(const ScoringSettings& settings, const std::filesystem::path& root);

/// Asks the lane's Python what it has and whether it finds the GPU, into `where`, and tells what matters.
/// Throws MachineCannot if its tests cannot run.
void describe_machine(Lane& lane, Circumstances& where, const std::function<void(const std::string&)>& tell);

}  // namespace ridgeline::submissions
