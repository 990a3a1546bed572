// Says how the figures of a report came about: files, campaigns and dates, models and settings, devices and
// their ceilings, baselines.
#pragma once

#include <string>

#include "engine/compare/compare.hpp"
#include "engine/report/report.hpp"

namespace ridgeline::report {

std::string made_with(const compare::Comparison& comparison, const std::vector<Source>& sources);

}  // namespace ridgeline::report
