// Finds out what a stream shows text on.
#pragma once

#include "engine/core/terminal_text.hpp"

namespace ridgeline::posix {

/// Describes the terminal behind a descriptor; the default Terminal if there is none. Its width is 80 columns
/// where it does not say. It has no colours if NO_COLOR is set to anything (https://no-color.org) or TERM is
/// "dumb" or missing.
Terminal terminal_of(int descriptor);

}  // namespace ridgeline::posix
