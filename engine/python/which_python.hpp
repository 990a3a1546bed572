// Which Python the user means: the one answer for workers, the oracle and commands.
#pragma once

#include <string>

namespace ridgeline::python {

/// What RIDGELINE_PYTHON names, else "python3": a path, or a name to look for in PATH. Says nothing of
/// whether it is there or has torch.
std::string which_python();

}  // namespace ridgeline::python
