// Reads KernelBench-X's metadata: a JSON array with an entry for each task. No I/O.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/suites/kernelbenchx/clone.hpp"

namespace ridgeline::suites::kernelbenchx {

/// Returns the entries in their order, each under its key `file` ("Activation/gelu.py"). `place` is the
/// file's path, for errors. Throws BadInput that names the entry and the key: no JSON, no array, a key that
/// is missing or of another type, a `file` that is no <Category>/<name>.py, a file that two entries name.
std::vector<std::pair<std::string, Metadata>> read_metadata(const std::string& text,
                                                            const std::string& place);

}  // namespace ridgeline::suites::kernelbenchx
