// Source text that stands between a candidate and the runner, generated from the task.
//
// Two pieces. The trampoline is a translation unit of its own, compiled once a task, so that no macro of a
// candidate touches it. The signature check is appended to the candidate's own text: extern "C" names carry
// no types, so a kernel with its arguments in another order would link and then crash; the check makes it
// a compile error that names the signature asked for, and tells the trampoline whether the kernel takes a
// workspace.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/candidate.hpp"
#include "engine/core/task.hpp"

namespace ridgeline::languages {

/// Diagnostics of the check name this file; those of the candidate name source_file().
inline constexpr std::string_view kCheckFile = "signature_check";

/// "kernel" with the language's first ending: "kernel.cpp", "kernel.cu".
std::string source_file(Language language);

/// Defines ridgeline_call and ridgeline_workspace (call_abi.hpp); for `cuda` the call reports the launch's
/// error and ridgeline_error_text says it in words. Plain C++ without CUDA's headers. Depends on the two
/// alone.
std::string trampoline_source(const Task& task, Language language);

/// The candidate's text with the check behind it; its own lines keep their numbers.
std::string with_signature_check(const Task& task, Language language, std::string_view source);

}  // namespace ridgeline::languages
