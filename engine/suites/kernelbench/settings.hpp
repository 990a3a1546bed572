// Settings of a clone from a campaign or from the command line: which files are chosen, and how they are
// checked.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/suites/suite.hpp"

namespace ridgeline::suites::kernelbench {

struct Settings {
  std::filesystem::path folder;    ///< the clone's
  std::vector<int> levels;         ///< empty means default_levels
  std::vector<std::string> tasks;  ///< names and patterns; empty means all
  bool check = true;               ///< try each file by the suite's own rule before a model is asked about it
  double timeout = 300;            ///< seconds that checking one file may take
  std::string device = "cpu";      ///< where `tasks check` runs the files
};

/// Reads the whole map. Opens the clone, so that a missing folder, level or task is a BadInput with its
/// place.
Settings read_settings(yaml::MapReader map);

/// Reads options of the command line. Throws BadInput naming the option.
Settings settings_from(const std::string& folder, const OptionValues& options);

/// Returns the options of `ridgeline tasks` for such a suite.
std::vector<CommandOption> command_options();

}  // namespace ridgeline::suites::kernelbench
