// Writes the output of `ridgeline tasks check` about module files.
#pragma once

#include <map>
#include <string>

#include "engine/suites/modules/check_text.hpp"
#include "engine/suites/suite.hpp"

namespace ridgeline::suites::modules {

/// Return the report on a checked file: as JSON for programs, which takes the members of `file`; as lines for
/// people, under `name`.
nlohmann::json report_document(nlohmann::json file, const CheckReport& report);
std::string report_text(const std::string& name, const CheckReport& report);

/// Counts the standings. The exit status is 1 if a task is broken or degenerate, else 3 if one does not fit
/// this machine, else 0.
CheckSummary summary_of(const std::map<Standing, int>& counts);

}  // namespace ridgeline::suites::modules
