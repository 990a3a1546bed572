// The suite of tasks in Ridgeline's own format (docs/task-format.md): a folder of <Category>/<name>.yaml.
#pragma once

#include <filesystem>
#include <memory>

#include "benchmark_tasks/suite.hpp"
#include "engine/suites/suite.hpp"

namespace ridgeline::suites::native {

const SuiteKind& kind();

/// Opens the tasks of `folder` that `filter` chooses; "" means the suite that ships. Reads the folder at
/// first use.
std::unique_ptr<Suite> open_folder(const std::filesystem::path& folder, benchmark_tasks::TaskFilter filter);

}  // namespace ridgeline::suites::native
