#include "engine/store/migrations.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"
#include "tests/engine/store/samples.hpp"

namespace ridgeline::store {
namespace {

/// A store as version 1 left it, with a row.
void make_version_1(const std::string& path) {
  SQLite::Database database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  migrate(database, path, all_migrations().first(1));
  database.exec("INSERT INTO campaigns VALUES (1, 'old', 'campaign: old', 'c', 'p', 't', '0.0.1', 5)");
  ASSERT_EQ(database.execAndGet("PRAGMA user_version").getInt(), 1);
}

TEST(Migrations, OlderStoreIsBroughtUpToDateWithItsRows) {
  samples::Folder folder;
  const auto path = folder.path("old.db");
  make_version_1(path);
  const auto store = Store::open(path, OpenMode::create_or_resume);
  const Reader reader(store);
  EXPECT_EQ(reader.campaign("old")->created_at, 5);
  EXPECT_EQ(schema_version(reader.database(), path), newest_version());
  EXPECT_EQ(store.connect_to_read()->execAndGet("SELECT count(*) FROM transitions").getInt(), 0);
}

TEST(Migrations, ReadingAnOlderStoreUpgradesItFirst) {
  samples::Folder folder;
  const auto path = folder.path("old.db");
  make_version_1(path);
  const Reader reader(Store::open(path, OpenMode::read_only));
  EXPECT_EQ(schema_version(reader.database(), path), newest_version());
  EXPECT_TRUE(reader.campaign("old"));
}

TEST(Migrations, FailingMigrationLeavesTheOldVersionWhole) {
  samples::Folder folder;
  const auto path = folder.path("old.db");
  make_version_1(path);
  SQLite::Database database(path, SQLite::OPEN_READWRITE);
  const std::string_view broken[] = {all_migrations()[0], "CREATE TABLE half (x); CREATE TABLE half (x);"};
  EXPECT_THROW(migrate(database, path, broken), SQLite::Exception);
  EXPECT_EQ(schema_version(database, path), 1);
  EXPECT_FALSE(database.tableExists("half"));
}

TEST(Migrations, BaselinesOfOneKindBecomeEagerOnes) {
  samples::Folder folder;
  const auto path = folder.path("old.db");
  {
    SQLite::Database database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    migrate(database, path, all_migrations().first(4));
    database.exec("INSERT INTO baselines VALUES ('t', 'cpu', 'small', 'eager', 2e-3, 1e-3, 3e-3, 1, x'', 9)");
  }
  const Reader reader(Store::open(path, OpenMode::read_only));
  const auto kept = reader.baselines("t", "cpu");
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].kind, BaselineKind::eager);
  EXPECT_EQ(kept[0].case_name, "small");
  EXPECT_EQ(kept[0].cold.median, 2e-3);
  EXPECT_EQ(kept[0].measured_at, 9);
}

TEST(Migrations, BaselinesFromBeforeModesAreKept) {
  samples::Folder folder;
  const auto path = folder.path("old.db");
  {
    SQLite::Database database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    migrate(database, path, all_migrations().first(7));
    database.exec(
        "INSERT INTO baselines VALUES ('t', 'cpu', 'eager', 'small', 'eager torch', 2e-3, 1e-3, 3e-3, 1, "
        "x'', 9)");
  }
  const Reader reader(Store::open(path, OpenMode::read_only));
  const auto kept = reader.baselines("t", "cpu");
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].description, "eager torch");
  EXPECT_EQ(kept[0].cold.median, 2e-3);
  EXPECT_EQ(kept[0].measured_at, 9);
  EXPECT_EQ(kept[0].mode, "");
}

TEST(Migrations, ADeviceOfVersion9IsKeptWithoutItsHello) {
  samples::Folder folder;
  const auto path = folder.path("old.db");
  {
    SQLite::Database database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    migrate(database, path, all_migrations().first(9));
    database.exec("INSERT INTO devices VALUES ('cpu', '{\"device\":\"cpu\",\"bandwidth\":2e10}', '{}', 7)");
  }
  const Reader reader(Store::open(path, OpenMode::read_only));
  const auto kept = reader.devices();
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].name, "cpu");
  EXPECT_EQ(kept[0].ceilings.bandwidth, 2e10);
  EXPECT_EQ(kept[0].seen_at, 7);
}

TEST(Migrations, AStoppedTrajectoryOfVersion8IsIncompleteAndItsRawExchangesAreKept) {
  samples::Folder folder;
  const auto path = folder.path("old.db");
  {
    SQLite::Database database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    migrate(database, path, all_migrations().first(8));
    database.exec(
        "INSERT INTO campaigns VALUES (1, 'old', 'campaign: old', 'c', 'p', 't', '0.0.1', 5, NULL);"
        "INSERT INTO tasks VALUES ('h', 't', 'Math', '{}');"
        "INSERT INTO trajectories VALUES (3, 1, 'h', 'best', '{}', 'cpp', 'm', 0, 'stopped', 9, 'why', NULL, "
        "0);"
        "INSERT INTO asks VALUES (7, 3, 0, 0, 0, 'r', 'role', 0, 'm', NULL, '', '[]', 'answered', '', 'p', "
        "'stop',"
        " 1, 2, 0, 0, 0.5, 1.5, 1, 0, 'no_code', '', NULL, '[]', 1, 2, 'text', 'why', '[]', '{\"q\":1}', "
        "'raw')");
  }
  const auto store = Store::open(path, OpenMode::create_or_resume);
  const Reader reader(store);
  const auto trajectory = reader.trajectory(3);
  ASSERT_TRUE(trajectory);
  EXPECT_EQ(trajectory->state, TrajectoryState::incomplete);
  EXPECT_EQ(trajectory->identity, "");
  const auto attempts = reader.attempts(3);
  ASSERT_EQ(attempts.size(), 1u);
  EXPECT_EQ(attempts[0].ask.raw_request, "{\"q\":1}");
  EXPECT_EQ(attempts[0].ask.raw_response, "raw");
  EXPECT_EQ(attempts[0].ask.response_text, "text");
  EXPECT_EQ(attempts[0].ask.usd, 0.5);
  auto database = store.connect_to_write();
  EXPECT_EQ(database->execAndGet("PRAGMA integrity_check").getString(), "ok");
  database->exec("UPDATE trajectories SET state = 'incomplete' WHERE id = 3");
  EXPECT_THROW(database->exec("UPDATE trajectories SET state = 'nonsense' WHERE id = 3"), SQLite::Exception);
}

TEST(Migrations, SchemaIsStrictAndItsForeignKeysHold) {
  samples::Folder folder;
  const auto store = Store::open(folder.path("store.db"), OpenMode::create_or_resume);
  auto database = store.connect_to_write();
  EXPECT_EQ(database
                ->execAndGet("SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND strict = 0 AND"
                             " name NOT LIKE 'sqlite_%'")
                .getInt(),
            0);
  EXPECT_THROW(database->exec("INSERT INTO stage_results VALUES (99, 0, 'build', 'passed', 'none', '', 0)"),
               SQLite::Exception);
  EXPECT_EQ(database->execAndGet("PRAGMA journal_mode").getString(), "wal");
  EXPECT_EQ(database->execAndGet("PRAGMA synchronous").getInt(), 2) << "FULL: survives loss of power";
}

}  // namespace
}  // namespace ridgeline::store
