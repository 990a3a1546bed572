// Tasks for people.
#pragma once

#include <string>

#include "benchmark_tasks/suite.hpp"

namespace ridgeline::cli {

std::string task_list(const benchmark_tasks::Suite& suite);
std::string task_text(const Task& task);

}  // namespace ridgeline::cli
