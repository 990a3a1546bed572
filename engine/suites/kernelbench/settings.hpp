// Settings of a clone of KernelBench's repository, from a campaign or from the command line: which of its
// files are chosen, and how they are checked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/suites/modules/posing.hpp"
#include "engine/suites/suite.hpp"

namespace ridgeline::suites::kernelbench {

struct Settings {
  std::filesystem::path folder;    ///< the clone's
  std::vector<int> levels;         ///< empty means default_levels (clone.hpp)
  std::vector<std::string> tasks;  ///< names and globs, as clone.hpp's select reads them; empty means all
  bool check = true;               ///< try each file by the suite's own rule before a model is asked about it
  double timeout = 300;            ///< seconds that checking one file, or describing it, may take
  /// "cpu" or "cuda:INDEX", where `ridgeline tasks check` runs the files. A campaign has them run where its
  /// candidates are judged.
  std::string device = "cpu";
  modules::Posing posing;           ///< of all tasks
  std::uint64_t device_memory = 0;  ///< bytes that a file may take there; 0: all that is free
};

/// Reads a campaign's map, of which no key may be left over. Opens the clone, so that a missing folder, level
/// or task is a BadInput with its place.
Settings read_settings(yaml::MapReader map);

/// Reads options of the command line, which choose levels and no single tasks. Throws BadInput, naming the
/// option, for levels that are no whole numbers from 1 on, or a timeout that is no positive number. Opens
/// nothing: whether the folder, the levels and the device are there shows later.
Settings settings_from(const std::string& folder, const OptionValues& options);

/// Returns the options that `ridgeline tasks` has for a clone.
std::vector<CommandOption> command_options();

/// Returns a task's name without the suffix that lists print after it for files posed so.
std::string without_label_suffix(std::string name, const modules::Posing& posing);

}  // namespace ridgeline::suites::kernelbench
