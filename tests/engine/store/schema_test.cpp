#include "engine/store/schema.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>

#include "engine/store/store.hpp"
#include "tests/engine/store/samples.hpp"

namespace ridgeline::store {
namespace {

class Schema : public testing::Test {
 protected:
  Schema() : store_(Store::open(folder_.path("store.db"), OpenMode::create_or_resume)) {}

  samples::Folder folder_;
  Store store_;
};

/// Table or view → its columns.
using Described = std::map<std::string, std::set<std::string>>;

Described created(const SQLite::Database& database) {
  Described schema;
  SQLite::Statement columns(database,
                            "SELECT s.name, c.name FROM sqlite_schema AS s, pragma_table_xinfo(s.name) AS c"
                            " WHERE s.type IN ('table', 'view')");
  while (columns.executeStep())
    schema[columns.getColumn(0).getString()].insert(columns.getColumn(1).getString());
  return schema;
}

/// Headings "### name" of the page, with all words in backticks below each.
Described documented() {
  std::ifstream page(RIDGELINE_SOURCE_DIR "/docs/store-schema.md");
  Described schema;
  std::string line, table;
  while (std::getline(page, line)) {
    if (line.starts_with("#")) table = line.starts_with("### ") ? line.substr(4) : "";
    if (table.empty()) continue;
    auto& words = schema[table];
    for (std::size_t from = line.find('`'); from != std::string::npos;) {
      const auto to = line.find('`', from + 1);
      if (to == std::string::npos) break;
      words.insert(line.substr(from + 1, to - from - 1));
      from = line.find('`', to + 1);
    }
  }
  return schema;
}

TEST_F(Schema, IsTheOneThatThePageDescribes) {
  const auto described = documented();
  const auto there = created(*store_.connect_to_read());
  for (const auto& [table, columns] : there) {
    ASSERT_TRUE(described.contains(table)) << "docs/store-schema.md lacks " << table;
    for (const auto& column : columns)
      EXPECT_TRUE(described.at(table).contains(column))
          << "docs/store-schema.md lacks " << table << "." << column;
  }
  for (const auto& [table, columns] : described)
    EXPECT_TRUE(there.contains(table))
        << "docs/store-schema.md describes " << table << ", which is not there";
}

TEST_F(Schema, IsStrictAndItsForeignKeysHold) {
  auto database = store_.connect_to_write();
  EXPECT_EQ(database
                ->execAndGet("SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND strict = 0 AND"
                             " name NOT LIKE 'sqlite_%'")
                .getInt(),
            0);
  EXPECT_THROW(database->exec("INSERT INTO runs VALUES (1, 99, 0, 0, '', '')"), SQLite::Exception);
  EXPECT_EQ(database->execAndGet("PRAGMA journal_mode").getString(), "wal");
  EXPECT_EQ(database->execAndGet("PRAGMA synchronous").getInt(), 2) << "FULL: survives loss of power";
}

TEST_F(Schema, KnowsNoOtherStateOfATrajectory) {
  auto database = store_.connect_to_write();
  database->exec(
      "INSERT INTO campaigns VALUES (1, 'c', '', '', '', '', '', 0, NULL); INSERT INTO tasks VALUES ('h', "
      "'t',"
      " '', '{}')");
  const auto insert = [&](const std::string& state) {
    database->exec(
        "INSERT INTO trajectories (campaign, task, strategy, strategy_json, language, model, seed, state,"
        " finished_at, detail, identity, kept_steps) VALUES (1, 'h', 's', '{}', 'cpp', 'm', 0, '" +
        state + "', 0, '', '', 0)");
  };
  EXPECT_NO_THROW(insert("incomplete"));
  EXPECT_THROW(insert("stopped"), SQLite::Exception);
}

TEST(SchemaOfAnEmptyFile, IsMadeWhole) {
  samples::Folder folder;
  const auto path = folder.path("empty.db");
  SQLite::Database database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  EXPECT_EQ(version_of(database, path), 0);
  create_schema(database);
  EXPECT_EQ(version_of(database, path), schema_version);
  EXPECT_THROW(create_schema(database), SQLite::Exception);
}

}  // namespace
}  // namespace ridgeline::store
