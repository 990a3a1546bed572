// Reads off the text of a Python answer, without running it, which tools its build may need.
#pragma once

#include <string>

namespace ridgeline::torch_answer {

/// Returns whether a line of an answer imports triton, wherever it stands.
bool imports_triton(const std::string& source);

/// Returns whether an answer may ask for a module to be built: it contains "load_inline" or "cpp_extension".
bool speaks_of_extensions(const std::string& source);

}  // namespace ridgeline::torch_answer
