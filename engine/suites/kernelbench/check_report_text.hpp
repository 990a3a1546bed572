// Writes the output of `ridgeline tasks check` about the task files of a clone of KernelBench.
#pragma once

#include <map>
#include <string>

#include "engine/suites/kernelbench/check_file.hpp"
#include "engine/suites/suite.hpp"

namespace ridgeline::suites::kernelbench {

/// Returns the name, level, number and path of a file's task, all of which its path says.
nlohmann::json file_document(const TaskFile& task);
/// Return the report on a checked file: as JSON for programs, as lines for people.
nlohmann::json report_document(const TaskFile& task, const CheckReport& report);
std::string report_text(const TaskFile& task, const CheckReport& report);

/// Counts the standings. The exit status is 1 if a task is broken or degenerate, else 3 if one does not fit
/// this machine, else 0.
CheckSummary summary_of(const std::map<Standing, int>& counts);

}  // namespace ridgeline::suites::kernelbench
