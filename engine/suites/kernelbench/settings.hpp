// Which files of a clone are meant and how they are looked at: from a campaign or from the command line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/suites/suite.hpp"

namespace ridgeline::suites::kernelbench {

struct Settings {
  std::filesystem::path folder;    ///< of the clone
  std::vector<int> levels;         ///< empty: those that need no network
  std::vector<std::string> tasks;  ///< names and patterns; empty is all
  bool check = true;               ///< try each file by the suite's own rule before anybody is asked about it
  double timeout = 300;            ///< seconds that looking at one file may take
  std::string device = "cpu";      ///< where `tasks check` runs the files
};

/// Reads the whole map. Opens the clone, so that a folder, a level or a task that is not there is a BadInput
/// with its place.
Settings read_settings(yaml::MapReader map);

/// From the command line. Throws BadInput naming the option.
Settings settings_from(const std::string& folder, const OptionValues& options);

/// What `ridgeline tasks` offers for such a suite.
std::vector<CommandOption> command_options();

}  // namespace ridgeline::suites::kernelbench
