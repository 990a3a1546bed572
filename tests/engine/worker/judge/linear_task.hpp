// A small module as a task (linear_module.hpp), and the interpreter that tests give to judges.
#pragma once

#include <variant>

#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/languages/python_toolchain.hpp"
#include "tests/engine/worker/judge/linear_module.hpp"

namespace ridgeline::judge {

inline PythonProgram tests_python() {
  const auto found = std::get<languages::PythonToolchain>(languages::ask_python(RIDGELINE_PYTHON));
  return {.program = found.program,
          .library = RIDGELINE_BIN_DIR "/libridgeline-python-runner.so",
          .folders = {found.folders.begin(), found.folders.end()},
          .torch_version = found.torch_version};
}

}  // namespace ridgeline::judge
