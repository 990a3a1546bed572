// Checks one module file for `ridgeline tasks check` and for campaigns.
#pragma once

#include <optional>

#include "engine/oracle/oracle_process.hpp"
#include "engine/suites/modules/assessment.hpp"

namespace ridgeline::suites::modules {

/// The result of checking a file.
struct CheckReport {
  Assessment assessment;
  std::optional<oracle::Description> description;  ///< none if the file could not even be described
  double seconds = 0;
  std::uint64_t peak_bytes = 0;  ///< see oracle::Cost; 0 if nothing was run
};

/// Asks first what memory the task needs. Runs it only if that fits, with float64 if that fits too. `seconds`
/// is the limit for the whole check. Throws MachineCannot if no oracle can be started.
CheckReport check_text(oracle::OracleProcess& oracle, const oracle::TaskText& text, double seconds,
                       Evaluator evaluator = Evaluator::kernelbench);

/// Asks only for the task's arguments, state and results, and reports `unchecked` if the oracle can say them.
/// Throws like check_text.
CheckReport describe_text(oracle::OracleProcess& oracle, const oracle::TaskText& text, double seconds);

}  // namespace ridgeline::suites::modules
