// Lists the fifteen categories of KernelBench-X (arXiv 2605.04956). Native tasks share them, so that results
// can be compared.
#pragma once

#include <string>
#include <vector>

namespace ridgeline::benchmark_tasks {

/// Returns them in the order of that suite's table, the largest first.
const std::vector<std::string>& categories();

}  // namespace ridgeline::benchmark_tasks
