// Tasks in Ridgeline's own format (docs/task-format.md) as a suite: a folder of <Category>/<name>.yaml.
#pragma once

#include <filesystem>
#include <memory>

#include "benchmark_tasks/suite.hpp"
#include "engine/suites/suite.hpp"

namespace ridgeline::suites::native {

const SuiteKind& kind();

/// The tasks of `folder` that `filter` chooses; "" is the suite that ships. Nothing is read yet.
std::unique_ptr<Suite> open_folder(const std::filesystem::path& folder, benchmark_tasks::TaskFilter filter);

}  // namespace ridgeline::suites::native
