// Loads task files (docs/task-format.md). Strict: every error is a BadInput that names file, line, column,
// key and the nearest valid name. A task that loads is one that a judge can run.
#pragma once

#include <filesystem>
#include <string>

#include "engine/core/task.hpp"

namespace ridgeline::benchmark_tasks {

/// Reads and validates one file, and sets Task::hash.
Task load_task(const std::filesystem::path& path);

/// Does the same from text; `name` begins the places of errors.
Task parse_task(const std::string& text, const std::string& name);

}  // namespace ridgeline::benchmark_tasks
