// Finds and names the task files in a clone of ScalingIntelligence/KernelBench. Reads without Python, and
// never changes a file; engine/oracle says what a file holds.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/oracle/oracle_process.hpp"

namespace ridgeline::suites::kernelbench {

/// The file <root>/level<level>/<name>.py, whose name begins with its number in the level.
struct TaskFile {
  int level = 0;
  int number = 0;
  std::string name;  ///< "23_Softmax"
  std::filesystem::path path;

  std::string full_name() const;   ///< "level1/23_Softmax"
  std::string identifier() const;  ///< "level1_23_Softmax", the C identifier in the kernel's name
};

/// A clone with its chosen levels.
struct Clone {
  std::filesystem::path root;   ///< holds level1, level2, …
  std::vector<TaskFile> tasks;  ///< by level, then by number
};

/// The levels that are read by default: they need neither a network nor model weights.
inline const std::vector<int> default_levels = {1, 2, 3};

/// Reads the clone at `folder`, or the folder KernelBench in it. Without `levels` it takes those of
/// default_levels that are there. Throws BadInput that says how to fix it: no such folder, no level in it, a
/// missing level, two files with one number.
Clone open_clone(const std::filesystem::path& folder, std::vector<int> levels = {});

/// Returns the files that `names` mean, in the suite's order; all if there are no names. A name is
/// "level1/23_Softmax", "23_Softmax", "level1/23" or a glob of one of these. Throws BadInput with the nearest
/// name.
std::vector<TaskFile> select(const Clone& clone, const std::vector<std::string>& names);

/// Reads the file's text, under its full name as the oracle takes it. Throws BadInput if it cannot be read.
oracle::TaskText read_text(const TaskFile& task);

/// Reads "1,3" as {1, 3}, sorted and without duplicates. Throws BadInput.
std::vector<int> parse_levels(const std::string& text);

}  // namespace ridgeline::suites::kernelbench
