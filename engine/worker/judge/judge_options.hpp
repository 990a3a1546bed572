// With what a judge is started.
#pragma once

#include <filesystem>
#include <optional>

#include "engine/worker/judge/runners/runner_process.hpp"

namespace ridgeline::judge {

struct JudgeOptions {
  std::filesystem::path runner;              ///< of ridgeline-runner
  std::filesystem::path scratch;             ///< a folder of the judge's own, below which runners get theirs
  std::optional<PythonProgram> python = {};  ///< what candidates of torch run in
};

}  // namespace ridgeline::judge
