// Rewrites a compiler's complaints about what an answer holds as strings, in terms of the answer. No I/O.
#pragma once

#include <string>

#include "engine/worker/languages/torch_answer/recording.hpp"

namespace ridgeline::torch_answer {

/// Returns `log` with "main.cpp:7:" as "answer.py:31:" wherever that line stands in the answer as it is.
/// Other lines, those of bindings that torch adds and of strings composed while the answer runs, keep torch's
/// names.
std::string in_lines_of_answer(const std::string& log, const AskedModule& asked, const std::string& answer);

}  // namespace ridgeline::torch_answer
