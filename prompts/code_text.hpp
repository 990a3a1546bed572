// Examines source text without a compiler, enough to recognise which of several blocks is the kernel.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/candidate.hpp"
#include "engine/core/task.hpp"

namespace ridgeline::prompts {

/// Returns the source with comments and literals replaced by spaces. Length and lines stay the same, so that
/// offsets hold for both.
std::string code_only(std::string_view source, Language language);

/// Whether the source defines the task's entry point, and does not merely declare or call it. For torch that
/// is `class ModelNew`, for triton a function of the entry point's name, or that class in its place
/// (module_answers.hpp); for a task of functions that function.
bool defines_entry_point(std::string_view source, const Task& task, Language language);

/// Whether the source defines `kernel_<task>`.
bool defines_kernel(std::string_view source, const Task& task, Language language);

/// Whether the source defines a class ModelNew, in Python.
bool defines_module(std::string_view source, Language language);

/// Whether every opened bracket is closed. A source that was cut off has open ones.
bool is_balanced(std::string_view source, Language language);

/// Whether the source is a file rather than a snippet: it includes or imports something, or names the entry
/// point.
bool looks_like_file(std::string_view source, const Task& task, Language language);

}  // namespace ridgeline::prompts
