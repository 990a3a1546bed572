// What a runner needs beside its job when it is an interpreter with torch.
#pragma once

#include <string>
#include <vector>

#include "engine/worker/judge/runners/runner_process.hpp"

namespace ridgeline::judge {

/// The interpreter to execute, its folders and the runner's library to read, and an environment of ours
/// alone.
void admit_python(sandbox::Policy& policy, const PythonProgram& python);

/// Where nothing is compiled: names for what torch's compiler asks for when it is imported.
void refuse_compilers(sandbox::Policy& policy);

/// What torch.compile wants beside that: the system's compilers, those that come with triton, and `folder` to
/// write to, where its cache goes too.
void admit_compilers(sandbox::Policy& policy, const PythonProgram& python, const std::string& folder);

/// The command line of an interpreter; `settings` name one.
std::vector<std::string> python_words(const RunnerSettings& settings);

}  // namespace ridgeline::judge
