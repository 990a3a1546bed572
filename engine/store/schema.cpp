#include "engine/store/schema.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include "engine/core/error.hpp"

namespace ridgeline::store {
namespace {

int pragma_number(const SQLite::Database& database, const char* pragma) {
  SQLite::Statement query(database, pragma);
  return query.executeStep() ? query.getColumn(0).getInt() : 0;
}

bool has_tables(const SQLite::Database& database) {
  SQLite::Statement query(database, "SELECT count(*) FROM sqlite_schema");
  return query.executeStep() && query.getColumn(0).getInt() > 0;
}

}  // namespace

void must_be_usable(int version, const std::string& path) {
  const auto has = path + " has schema version " + std::to_string(version) + ", and this ridgeline ";
  if (version > schema_version)
    throw BadInput(has + "knows " + std::to_string(schema_version) +
                   ": use the newer ridgeline that made it, or name another store");
  if (version > 0 && version < convertible_version)
    throw BadInput(has + "converts only version " + std::to_string(convertible_version) +
                   ": open it once with the last ridgeline 0.1 (`ridgeline show " + path +
                   "` brings it to version " + std::to_string(convertible_version) +
                   "), then again with this one; or name another store");
}

int version_of(const SQLite::Database& database, const std::string& path) {
  const int owner = pragma_number(database, "PRAGMA application_id");
  const int version = pragma_number(database, "PRAGMA user_version");
  if (owner != application_id) {
    // SQLite makes an empty file as soon as it is opened: that of a run killed at once is as good as none.
    if (owner == 0 && version == 0 && !has_tables(database)) return 0;
    throw BadInput(path + " is an SQLite file of another program, not a Ridgeline store: name another file");
  }
  must_be_usable(version, path);
  return version;
}

void create_schema(SQLite::Database& database) {
  // In one transaction with the version: a process killed meanwhile leaves an empty file.
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  for (const auto* part = schema_parts; part->name != nullptr; ++part) database.exec(part->sql);
  database.exec("PRAGMA application_id = " + std::to_string(application_id));
  database.exec("PRAGMA user_version = " + std::to_string(schema_version));
  transaction.commit();
}

}  // namespace ridgeline::store
