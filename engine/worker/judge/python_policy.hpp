// What a runner needs beside its job when it is an interpreter with torch.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/worker/judge/runner_process.hpp"

namespace ridgeline::judge {

/// The interpreter to execute, its folders and the runner's library to read, and an environment of ours
/// alone.
void admit_python(Policy& policy, const PythonProgram& python);

/// The command line. `device`: where the judge's buffers lie; none for the CPU's memory. `cupti`: by which
/// library calls can be counted; empty where they are not.
std::vector<std::string> python_words(const PythonProgram& python, std::optional<int> device,
                                      const std::optional<std::filesystem::path>& cupti);

}  // namespace ridgeline::judge
