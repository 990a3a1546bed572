// What a file says of itself before SQLite is let near it: opening it would leave a lock and a log beside it.
#pragma once

#include <string>

namespace ridgeline::store {

/// Throws BadInput unless the file at `path` is missing, empty, or begins as a store of a
/// version that can be used.
void must_be_a_store(const std::string& path);

}  // namespace ridgeline::store
