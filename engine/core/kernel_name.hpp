// Names of GPU kernels as their source has them.
#pragma once

#include <string>

namespace ridgeline {

/// "reduce<float, 4>" for "_Z6reduceIfLi4EEvPKT_"; a name that is not mangled stays as it is.
std::string kernel_name(const std::string& symbol);

}  // namespace ridgeline
