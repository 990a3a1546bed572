// The schema of a store and what a file's version means.
//
// The definition is SQL: engine/store/schema/*.sql, compiled in. `PRAGMA user_version` of a file is the
// version of its schema. A file of the version before is converted when it is opened
// (convert/version_11.hpp); older and newer ones are refused.
#pragma once

#include <cstdint>
#include <string>

namespace SQLite {
class Database;
}

namespace ridgeline::store {

inline constexpr std::int32_t application_id = 0x5264676c;  ///< "Rdgl" at offset 68 of the file

/// The schema of ridgeline 0.2. Versions 1 to 11 belonged to development versions of 0.1.
inline constexpr int schema_version = 12;
inline constexpr int convertible_version = 11;

/// One .sql file of engine/store/schema.
struct SchemaPart {
  const char* name;
  const char* sql;
};
/// In the order of their names; the last one's pointers are null.
extern const SchemaPart schema_parts[];

/// Returns the version of an open file, 0 for an empty one. Throws BadInput if it belongs to another
/// application or has a version that cannot be used here.
int version_of(const SQLite::Database& database, const std::string& path);

/// Throws BadInput if `version` is newer than schema_version, or older than convertible_version and not 0.
/// Accepts 0, the version of an empty file.
void must_be_usable(int version, const std::string& path);

/// Makes all tables and views in an empty file, in one transaction.
void create_schema(SQLite::Database& database);

}  // namespace ridgeline::store
