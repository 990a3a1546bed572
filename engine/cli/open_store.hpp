// Opens stores for the commands that only show what is in them.
#pragma once

#include <string>

#include "engine/store/store.hpp"

namespace ridgeline::cli {

/// Opens a store for reading. Throws BadInput also if it holds no campaign: an empty page or an empty file of
/// pairs would look like a result.
store::Store open_store_with_campaigns(const std::string& path);

}  // namespace ridgeline::cli
