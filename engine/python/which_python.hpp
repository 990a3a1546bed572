// Says which Python the user means. Workers, the oracle and commands all ask here.
#pragma once

#include <string>

namespace ridgeline::python {

/// Returns the value of RIDGELINE_PYTHON, else "python3": a path, or a name to look for in PATH. Does not
/// check whether it exists or has torch.
std::string which_python();

}  // namespace ridgeline::python
