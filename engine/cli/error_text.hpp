// What went wrong, as it is put on a terminal.
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace ridgeline::cli {

/// "ridgeline: " and the message, which may quote whatever a file holds: no control character reaches the
/// terminal, and of a long line its beginning and its end are shown. Ends with a line end.
std::string error_text(std::string_view what);

/// The exit status for what no part of the program expected: 2 where a path cannot be one, 3 where memory ran
/// out or the file system refused, else 1.
int exit_code_of(const std::exception& error);

}  // namespace ridgeline::cli
