// Finds the line of a task's file that an error in its TorchScript is about. The judge knows the script
// alone and reports a line of it ("task 't': reference:2:12: undefined value y"). The user has the file,
// where the script begins further down.
#pragma once

#include <filesystem>
#include <string>

#include "benchmark_tasks/suite.hpp"

namespace ridgeline::benchmark_tasks {

/// Returns the file that `resolve_task` reads for `name_or_path`. Throws BadInput with the nearest name.
std::filesystem::path file_of(const Suite& suite, const std::string& name_or_path);

/// Puts file, line and column before the complaint: "FILE:17:16: task 't': undefined value y". If the
/// complaint names no line of a script, the file's name stands alone.
std::string placed(const std::string& complaint, const std::filesystem::path& file);

}  // namespace ridgeline::benchmark_tasks
