// Small task files of our own in KernelBench's format, laid out as its clone is.
#pragma once

#include <string>

#include "engine/suites/kernelbench/clone.hpp"

namespace ridgeline::suites::kernelbench {

inline std::string clone_root() {
  return RIDGELINE_SOURCE_DIR "/tests/engine/suites/kernelbench/clone";
}

inline TaskFile task_named(const std::string& name) {
  return select(open_clone(clone_root(), {1, 2}), {name}).at(0);
}

}  // namespace ridgeline::suites::kernelbench
