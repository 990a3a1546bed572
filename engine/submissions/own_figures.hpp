// What Ridgeline says beside KernelBench-X's own figures: over all tasks of the suite and not over those that
// were answered, with intervals, and what KernelBench-X's scripts leave out. Decisions, without I/O.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/submissions/metrics.hpp"

namespace ridgeline::submissions {

/// The member "ridgeline" of an entry of metrics.json.
nlohmann::json own_entry(const Scored& one, const Circumstances& where);
/// The member "ridgeline" of summary.json.
nlohmann::json own_summary(const std::vector<Scored>& all, const Circumstances& where);

/// Why KernelBench-X's scripts leave the time out of a mean, or count it wrongly; "" if they do not.
std::string left_out_because(const Efficiency& efficiency);

}  // namespace ridgeline::submissions
