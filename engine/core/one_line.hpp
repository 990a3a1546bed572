// Makes a stranger's text (a model's, a compiler's) fit to stand within one line of a report.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline {

/// Replaces each run of control characters, line ends among them, by one space, so that the text can neither
/// begin a line of its own nor send commands to a terminal. Control characters that UTF-8 writes in two bytes
/// (U+0080 to U+009F) are replaced too.
std::string in_one_line(std::string_view text);

}  // namespace ridgeline
