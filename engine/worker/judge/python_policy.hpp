// What a runner needs beside its job when it is an interpreter with torch.
#pragma once

#include <string>
#include <vector>

#include "engine/worker/judge/runner_process.hpp"

namespace ridgeline::judge {

/// The interpreter to execute, its folders and the runner's library to read, and an environment of ours
/// alone.
void admit_python(Policy& policy, const PythonProgram& python);

/// The command line.
std::vector<std::string> python_words(const PythonProgram& python);

}  // namespace ridgeline::judge
