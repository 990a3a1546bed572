// Turns the symbol of a GPU kernel into the name that its source has.
#pragma once

#include <string>

namespace ridgeline {

/// Returns "reduce<float, 4>" for "_Z6reduceIfLi4EEvPKT_"; a name that is not mangled stays as it is.
std::string kernel_name(const std::string& symbol);

}  // namespace ridgeline
