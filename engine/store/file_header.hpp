// Reads a file's header before SQLite opens the file, because SQLite would leave a lock and a log beside it.
#pragma once

#include <string>

namespace ridgeline::store {

/// Throws BadInput if the file at `path` is no SQLite file, or a store of a newer version than this engine
/// reads. A missing or empty file passes.
void must_be_a_store(const std::string& path);

}  // namespace ridgeline::store
