// `ridgeline tasks check` of one task file.
#pragma once

#include <optional>

#include "engine/oracle/oracle_process.hpp"
#include "engine/suites/kernelbench/assessment.hpp"
#include "engine/suites/kernelbench/clone.hpp"

namespace ridgeline::suites::kernelbench {

struct CheckReport {
  Assessment assessment;
  std::optional<oracle::Description> description;  ///< none if the file could not even be described
  double seconds = 0;
  std::uint64_t peak_bytes = 0;  ///< see Cost; 0 if nothing was run
};

/// Asks first what the task needs; runs it only where that fits, with float64 where that fits too. Throws
/// MachineCannot where there is no oracle to ask.
CheckReport check_file(oracle::OracleProcess& oracle, const TaskFile& task, double seconds);

/// Asks only what the task takes, keeps and returns: `unchecked` where that can be said. Throws as check_file
/// does.
CheckReport describe_file(oracle::OracleProcess& oracle, const TaskFile& task, double seconds);

}  // namespace ridgeline::suites::kernelbench
