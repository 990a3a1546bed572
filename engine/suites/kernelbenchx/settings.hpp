// Settings of a clone of KernelBench-X, from a campaign or from the command line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/suites/suite.hpp"

namespace ridgeline::suites::kernelbenchx {

struct Settings {
  std::filesystem::path folder;    ///< the clone's
  std::vector<std::string> tasks;  ///< names and globs, as clone.hpp's select reads them; empty means all
  bool check = true;               ///< try each task before a model is asked about it
  double timeout = 300;            ///< seconds that examining one task may take
  std::string device = "cpu";      ///< "cpu" or "cuda:INDEX", where `ridgeline tasks check` runs the files
};

/// Reads a campaign's map, of which no key may be left over. Opens the clone, so that a missing folder, file
/// or task is a BadInput with its place.
Settings read_settings(yaml::MapReader map);

/// Reads options of the command line. Throws BadInput for a timeout that is no positive number. Opens
/// nothing.
Settings settings_from(const std::string& folder, const OptionValues& options);

/// Returns the options that `ridgeline tasks` has for a clone.
std::vector<CommandOption> command_options();

}  // namespace ridgeline::suites::kernelbenchx
