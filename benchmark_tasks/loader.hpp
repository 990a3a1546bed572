// Task files (docs/task-format.md) to tasks. Strict: every error is a BadInput that names file, line, column,
// key and the nearest valid name, so that a task that loads is one a judge can run.
#pragma once

#include <filesystem>
#include <string>

#include "engine/core/task.hpp"

namespace ridgeline::benchmark_tasks {

/// Reads and validates one file, and sets Task::hash.
Task load_task(const std::filesystem::path& path);

/// As `load_task`, from text; `name` begins the places of errors.
Task parse_task(const std::string& text, const std::string& name);

}  // namespace ridgeline::benchmark_tasks
