// Adds the place in the campaign file to errors about the suite that it names.
#pragma once

#include "engine/core/error.hpp"
#include "engine/yaml/reader.hpp"

namespace ridgeline::suites {

/// Returns what `work` returns. A BadInput from it knows the folder or the task; it is thrown anew with the
/// place of `node` in the campaign file.
template <class Work>
auto at_place(const yaml::Node& node, const Work& work) {
  try {
    return work();
  } catch (const BadInput& error) {
    node.fail(error.what());
  }
}

}  // namespace ridgeline::suites
