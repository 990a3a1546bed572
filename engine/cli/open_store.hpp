// Stores for the commands that show what is in one.
#pragma once

#include <string>

#include "engine/store/store.hpp"

namespace ridgeline::cli {

/// Opens it for reading. Throws BadInput also where no campaign is in it: an empty page or an empty file of
/// pairs would look like a result.
store::Store open_filled(const std::string& path);

}  // namespace ridgeline::cli
