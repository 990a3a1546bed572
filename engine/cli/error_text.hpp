// Turns an exception into the text on the terminal and the program's exit status.
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace ridgeline::cli {

/// Writes "ridgeline: " before the message and a line end after it. A message may quote any file, so control
/// characters are replaced, and a long line keeps only its beginning and its end.
std::string error_text(std::string_view what);

/// Returns the exit status for an exception that is not Ridgeline's own: 2 for an impossible path, 3 if
/// memory ran out or the file system refused, else 1.
int exit_code_of(const std::exception& error);

}  // namespace ridgeline::cli
