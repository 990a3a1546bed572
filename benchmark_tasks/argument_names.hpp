// Says which names an argument of a kernel may have.
#pragma once

#include <string>

namespace ridgeline::benchmark_tasks {

/// Whether the text is an identifier of C.
bool is_identifier(const std::string& text);

/// Whether the word is reserved in C++, CUDA or Python, or names an argument that every kernel has. Lists
/// words that a task might want.
bool is_reserved(const std::string& text);

/// Makes a name for an argument from any text: "conv1.weight" gives conv1_weight, "in" gives in_. Two texts
/// may give one name.
std::string usable_name(std::string text);

}  // namespace ridgeline::benchmark_tasks
