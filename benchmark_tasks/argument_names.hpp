// What an argument of a kernel may be called.
#pragma once

#include <string>

namespace ridgeline::benchmark_tasks {

bool is_identifier(const std::string& text);

/// Words that name nothing in C++, CUDA or Python, as far as a task might want them.
bool is_taken(const std::string& text);

/// A name for an argument out of any text: "conv1.weight" is conv1_weight, "in" is in_. Two texts may get one
/// name.
std::string usable_name(std::string text);

}  // namespace ridgeline::benchmark_tasks
