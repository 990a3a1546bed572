// What a stranger wrote, made fit to stand within a line of ours.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline {

/// Control characters, line ends among them, become spaces, runs of them one: a text can neither begin a line
/// of a report nor speak to a terminal. Those that UTF-8 writes in two bytes (U+0080 to U+009F) too.
std::string in_one_line(std::string_view text);

}  // namespace ridgeline
