// Complaints about a suite, with their place in the campaign file that names it.
#pragma once

#include "engine/core/error.hpp"
#include "engine/yaml/reader.hpp"

namespace ridgeline::suites {

/// What `work` returns. What it throws as BadInput knows the folder or the task; `node` adds the place.
template <class Work>
auto at_place(const yaml::Node& node, const Work& work) {
  try {
    return work();
  } catch (const BadInput& error) {
    node.fail(error.what());
  }
}

}  // namespace ridgeline::suites
