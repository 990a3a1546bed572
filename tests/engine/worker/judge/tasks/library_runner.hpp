// A confined runner for libraries that has loaded nothing.
#pragma once

#include <filesystem>
#include <memory>

#include "engine/worker/judge/runners/runner_process.hpp"

namespace ridgeline::judge {

inline std::unique_ptr<RunnerProcess> library_runner() {
  RunnerSettings settings;
  settings.program = RIDGELINE_BIN_DIR "/ridgeline-runner";
  settings.scratch_parent = std::filesystem::temp_directory_path();
  settings.level = sandbox::best_level(sandbox::probe_isolation());
  return std::make_unique<RunnerProcess>(settings);
}

}  // namespace ridgeline::judge
