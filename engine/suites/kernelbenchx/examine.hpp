// Makes a task of a file: the calls of its test, the module of those that can be judged, and its trials.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/task.hpp"
#include "engine/oracle/oracle_process.hpp"
#include "engine/suites/kernelbenchx/refusal.hpp"
#include "engine/suites/modules/check_text.hpp"

namespace ridgeline::suites::kernelbenchx {

/// The modules that tests import from the repository, by name: utils/data_utils.py.
using Support = std::map<std::string, std::string>;
/// Reads them. Throws BadInput if the file cannot be read.
Support read_support(const Clone& clone);

/// What was found out about a file.
struct Examined {
  Decision decision;
  int calls = 0, judged = 0;               ///< of its test; 0 if it was not run
  std::optional<oracle::Harvest> harvest;  ///< only if the task can be judged, or is degenerate
  modules::CheckReport report;             ///< costs, and the description of the module
};

/// How much is run: with `tries` the trials and null answers too.
struct Effort {
  bool tries = true;
  double seconds = 300;  ///< for all of it
};

/// Examines a file by `oracle`. Throws MachineCannot if the oracle cannot be started.
Examined examine_file(oracle::OracleProcess& oracle, const TaskFile& task, const Support& support,
                      const Effort& effort);

/// Makes the task, for one backend. `examined` must have a harvest.
Task make_task(const TaskFile& task, const Examined& examined, std::string_view backend);

}  // namespace ridgeline::suites::kernelbenchx
