// Composes what front ends read, and reads what they write. No I/O.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::front_ends {

/// Names the file whose opening a held expansion waits for.
inline constexpr std::string_view held_at = "ridgeline-answer";

/// Returns what a held expansion of cuda.cu reads: the lines that load_inline writes before every source,
/// torch/ extension.h, and the file at which it is held.
std::string held_text();
/// Returns the first of these alone: what the front end behind the expansion is held with.
std::string headers_text();

/// Returns what a child of the expansion reads in the held file's place: the whole of cuda.cu but for what is
/// held. Lines keep their numbers. `module` is the request's name; empty if `cuda` does not begin as
/// load_inline writes it.
std::optional<std::string> text_for_expansion(std::string_view cuda, const std::string& module);

/// Returns what the compiler's front end reads behind the headers, out of what a child of the expansion
/// wrote; empty if it is none of that.
std::optional<std::string> text_for_parsing(std::string_view expanded);

/// Returns the messages of a child of the expansion as they were without the held file.
std::string without_holder(std::string_view messages);

/// Returns main.cpp with an end at which a compiler that is told to stop after 20 errors stops: one error
/// more. It would go on to instantiate what the headers hold, for 5 s.
std::string with_end(std::string_view main);
/// Returns what the compiler said of main.cpp before it came to the end; empty if that was no error, or if it
/// stopped before for another reason.
std::optional<std::string> errors_before_end(std::string_view messages);

/// Returns whether any line of `messages` is a compiler's error. Quoted lines of the source are none,
/// whatever they hold.
bool tells_error(std::string_view messages);

}  // namespace ridgeline::front_ends
