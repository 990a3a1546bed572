// Extends a runner's sandbox policy by what an interpreter with torch needs, beside the job itself.
#pragma once

#include <string>
#include <vector>

#include "engine/worker/judge/runners/runner_process.hpp"

namespace ridgeline::judge {

/// Admits the interpreter for execution, its folders and the runner's library for reading, and sets the
/// environment that an import needs.
void admit_python(sandbox::Policy& policy, const PythonProgram& python);

/// Sets the variables that torch's compiler reads when it is imported, in a runner that compiles nothing.
void refuse_compilers(sandbox::Policy& policy);

/// Admits what torch.compile needs beside that: the system's compilers, those that come with triton, and
/// `folder` for writing, where its cache goes too.
void admit_compilers(sandbox::Policy& policy, const PythonProgram& python, const std::string& folder);

/// Returns the command line of the interpreter that `settings` name.
std::vector<std::string> python_words(const RunnerSettings& settings);

}  // namespace ridgeline::judge
