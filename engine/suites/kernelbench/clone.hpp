// A clone of ScalingIntelligence/KernelBench as a suite: its task files, found and named, never changed.
// Reading it needs no Python; what is in a file, the oracle says (engine/oracle).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/oracle/oracle_process.hpp"

namespace ridgeline::suites::kernelbench {

/// <root>/level<level>/<name>.py, its name beginning with its number in the level.
struct TaskFile {
  int level = 0;
  int number = 0;
  std::string name;  ///< "23_Softmax"
  std::filesystem::path path;

  std::string full_name() const;   ///< "level1/23_Softmax"
  std::string identifier() const;  ///< "level1_23_Softmax", a C identifier: what a kernel is named after
};

struct Clone {
  std::filesystem::path root;   ///< holds level1, level2, …
  std::vector<TaskFile> tasks;  ///< by level, then by number
};

/// The levels that need neither a network nor model weights: those that are read unless others are asked for.
inline const std::vector<int> default_levels = {1, 2, 3};

/// `folder` is the clone, or the folder KernelBench in it. Throws BadInput with the fix: no such folder,
/// none of its levels there, a level that it lacks, two files of one number.
/// Without `levels`: those of default_levels that it has.
Clone open_clone(const std::filesystem::path& folder, std::vector<int> levels = {});

/// Those that `names` mean, in the suite's order; all if there are none. A name is "level1/23_Softmax",
/// "23_Softmax", "level1/23" or a glob of one of these. Throws BadInput with the nearest name.
std::vector<TaskFile> select(const Clone& clone, const std::vector<std::string>& names);

/// The file's text under its full name, as the oracle takes it. Throws BadInput where it cannot be read.
oracle::TaskText read_text(const TaskFile& task);

/// "1,3" to {1, 3}, sorted and without doubles. Throws BadInput.
std::vector<int> parse_levels(const std::string& text);

}  // namespace ridgeline::suites::kernelbench
