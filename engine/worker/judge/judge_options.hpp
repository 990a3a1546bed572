// Names the programs that a judge starts and the folder that it uses.
#pragma once

#include <filesystem>
#include <optional>

#include "engine/worker/judge/runners/runner_process.hpp"

namespace ridgeline::judge {

struct JudgeOptions {
  std::filesystem::path runner;  ///< the program ridgeline-runner
  /// A folder that exists already and outlives the judge. Runners get folders of their own below it.
  std::filesystem::path scratch;
  /// The interpreter of candidates in torch and triton, and of modules' references. Empty: none of these run.
  std::optional<PythonProgram> python = {};
  /// The judge's share of the machine's cores, by which interpreters are started ahead; 0: all.
  unsigned cores = 0;
};

}  // namespace ridgeline::judge
