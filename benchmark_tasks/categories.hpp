// The fifteen categories of KernelBench-X (arXiv 2605.04956), which native tasks share so that results
// compare.
#pragma once

#include <string>
#include <vector>

namespace ridgeline::benchmark_tasks {

/// In the order of that suite's table: largest first.
const std::vector<std::string>& categories();

}  // namespace ridgeline::benchmark_tasks
