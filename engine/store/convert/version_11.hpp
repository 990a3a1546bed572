// Brings a store of schema version 11, the last of ridgeline 0.1, to the present schema.
//
// Nothing was released before 0.2: this folder may go when no store of 0.1 is left that anybody wants to
// read.
#pragma once

#include <string>

namespace SQLite {
class Database;
}

namespace ridgeline::store {

/// Builds the new store in `path`.converting and copies it over the old one in one transaction, so that a
/// process killed meanwhile leaves the old store whole. `database` is the open store at `path`, under the
/// writer's lock. Needs room on the disk for two more copies. Throws SQLite::Exception, and MachineCannot
/// where a verdict cannot be read or another program holds the lock.
void convert_version_11(SQLite::Database& database, const std::string& path);

}  // namespace ridgeline::store
