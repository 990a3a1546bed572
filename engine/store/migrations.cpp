#include "engine/store/migrations.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <array>

#include "engine/core/error.hpp"
#include "engine/store/schema_0001.hpp"
#include "engine/store/schema_0002.hpp"
#include "engine/store/schema_0003.hpp"
#include "engine/store/schema_0004.hpp"
#include "engine/store/schema_0005.hpp"
#include "engine/store/schema_0006.hpp"
#include "engine/store/schema_0007.hpp"
#include "engine/store/schema_0008.hpp"
#include "engine/store/schema_0009.hpp"
#include "engine/store/schema_0010.hpp"
#include "engine/store/schema_0011.hpp"

namespace ridgeline::store {
namespace {

constexpr std::array migrations_in_order{schema_0001, schema_0002, schema_0003, schema_0004,
                                         schema_0005, schema_0006, schema_0007, schema_0008,
                                         schema_0009, schema_0010, schema_0011};

int pragma_number(const SQLite::Database& database, const char* pragma) {
  SQLite::Statement query(database, pragma);
  return query.executeStep() ? query.getColumn(0).getInt() : 0;
}

bool has_tables(const SQLite::Database& database) {
  SQLite::Statement query(database, "SELECT count(*) FROM sqlite_schema");
  return query.executeStep() && query.getColumn(0).getInt() > 0;
}

}  // namespace

std::span<const std::string_view> all_migrations() {
  return migrations_in_order;
}

void refuse_newer(const std::string& path, int version) {
  throw BadInput(path + " has schema version " + std::to_string(version) + ", and this ridgeline knows " +
                 std::to_string(newest_version()) +
                 ": use the newer ridgeline that made it, or name another store");
}

int schema_version(const SQLite::Database& database, const std::string& path) {
  const int owner = pragma_number(database, "PRAGMA application_id");
  const int version = pragma_number(database, "PRAGMA user_version");
  if (owner != application_id) {
    if (owner == 0 && version == 0 && !has_tables(database)) return 0;
    throw BadInput(path + " is an SQLite file of another program, not a Ridgeline store: name another file");
  }
  if (version > newest_version()) refuse_newer(path, version);
  return version;
}

void migrate(SQLite::Database& database, const std::string& path,
             std::span<const std::string_view> migrations) {
  for (auto version = static_cast<std::size_t>(schema_version(database, path)); version < migrations.size();
       ++version) {
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    database.exec(std::string(migrations[version]));
    database.exec("PRAGMA application_id = " + std::to_string(application_id));
    database.exec("PRAGMA user_version = " + std::to_string(version + 1));
    transaction.commit();
  }
}

}  // namespace ridgeline::store
