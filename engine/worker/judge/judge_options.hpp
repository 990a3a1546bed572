// Names the programs that a judge starts and the folder that it owns.
#pragma once

#include <filesystem>
#include <optional>

#include "engine/worker/judge/runners/runner_process.hpp"

namespace ridgeline::judge {

struct JudgeOptions {
  std::filesystem::path runner;              ///< the program ridgeline-runner
  std::filesystem::path scratch;             ///< the judge's own folder, below which runners get theirs
  std::optional<PythonProgram> python = {};  ///< the interpreter that runs candidates of torch
};

}  // namespace ridgeline::judge
