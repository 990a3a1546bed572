// Gives sources that differ only in comments, white space and the names of their variables one text.
//
// A variable is a name that the source itself declares, by a type before it (C family), or by assignment,
// `for`, `as` or a parameter list (Python). Each becomes a number, in the order in which they first occur, so
// two sources have one text only if renaming turns one into the other. Names of functions, types, attributes
// macros and keyword arguments stay, as do numbers and strings: `__expf` is not `expf`, and a tile of 64 is
// not one of 32. White space within strings is not compared.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/candidate.hpp"

namespace ridgeline::exporting {

/// Returns that text. It is for comparing, not for compiling. A declaration that is not recognized keeps its
/// name, so at worst two equal sources look different.
std::string canonical(std::string_view source, Language language);

}  // namespace ridgeline::exporting
