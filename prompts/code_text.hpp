// Looking at source text without a compiler: enough to tell which of several blocks is the kernel.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/candidate.hpp"
#include "engine/core/task.hpp"

namespace ridgeline::prompts {

/// The source with comments and the contents of strings blanked out; of the same length and lines.
std::string code_only(std::string_view source, Language language);

/// True if the source defines the task's entry point, and does not merely declare or call it. For torch that
/// is `class ModelNew`, for triton a function of the entry point's name.
bool defines_entry_point(std::string_view source, const Task& task, Language language);

/// True if every bracket opened is closed: a source that was cut off has open ones.
bool is_balanced(std::string_view source, Language language);

/// True for a file rather than a snippet: it includes or imports something, or names the entry point.
bool looks_like_file(std::string_view source, const Task& task, Language language);

}  // namespace ridgeline::prompts
