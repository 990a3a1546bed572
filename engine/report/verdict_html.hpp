// Renders a verdict with all that a reader needs to doubt it: stages, wrong values, times with their raw
// samples, the roofline. Pure.
#pragma once

#include <string>

#include "engine/store/records.hpp"

namespace ridgeline::report {

/// `id` is unique in the page; folded parts derive theirs from it.
std::string verdict_html(const store::EvaluationRecord& evaluation, const std::string& id);

}  // namespace ridgeline::report
