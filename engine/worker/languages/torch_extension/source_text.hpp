// Reads from the text of a source what needs no compiler. No I/O.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::torch_extension {

/// Replaces comments and the contents of literals by spaces; line breaks stay.
std::string without_comments_and_literals(std::string_view source);

/// Returns whether there is nothing but declarations and #include: no braces, no other directive.
bool only_declares(std::string_view source);

/// Returns whether it uses what torch/extension.h has beyond torch/types.h without including it: the real
/// headers refuse that.
bool exports_without_its_header(std::string_view source);

/// Returns the #include lines for the names of the standard library and of CUDA in the source. torch's
/// headers bring nearly all of them; each costs up to a third of a second, so only those that are named are
/// brought here.
std::string slim_prelude(std::string_view source);

}  // namespace ridgeline::torch_extension
