// Where in a task's file a judge's complaint about its TorchScript stands. The judge has the script alone,
// and says "task 't': reference:2:12: undefined value y"; the user has the file.
#pragma once

#include <filesystem>
#include <string>

#include "benchmark_tasks/suite.hpp"

namespace ridgeline::benchmark_tasks {

/// The file that `name_or_path` means to `resolve_task`.
std::filesystem::path file_of(const Suite& suite, const std::string& name_or_path);

/// "FILE:17:16: task 't': undefined value y": the complaint with its place in the task's file, or with the
/// file alone where it names no place in a script.
std::string placed(const std::string& complaint, const std::filesystem::path& file);

}  // namespace ridgeline::benchmark_tasks
