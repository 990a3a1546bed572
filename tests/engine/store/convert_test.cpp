// A store of ridgeline 0.1 is converted when it is opened, or refused with what to do.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"
#include "engine/core/error.hpp"
#include "engine/store/convert/version_11.hpp"
#include "engine/store/journal.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/schema.hpp"
#include "engine/store/store.hpp"
#include "tests/engine/store/samples.hpp"

namespace ridgeline::store {
namespace {

using samples::text_of;
using testing::HasSubstr;

/// A file with what the writer of ridgeline 0.1 made of the records below.
void make_version_11(const std::string& path) {
  std::ifstream file(RIDGELINE_SOURCE_DIR "/tests/engine/store/version_11.sql");
  const std::string sql{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(sql.empty());
  SQLite::Database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(sql);
}

std::vector<Verdict> recorded_verdicts() {
  const auto task = samples::task().hash;
  const auto candidate = samples::candidate(1).hash;
  auto correct = samples::correct_verdict(task, candidate, 1e-3, 10);
  correct.errors[0].worst = std::numeric_limits<double>::infinity();
  correct.errors[1].median = 1.0 / 3;
  correct.rooflines[1].intensity = std::numeric_limits<double>::quiet_NaN();
  return {correct, samples::failed_verdict(task, candidate, Stage::build, Reason::compile_error),
          samples::failed_verdict(task, candidate, Stage::call, Reason::crashed),
          samples::failed_verdict(task, candidate, Stage::correctness, Reason::wrong_values),
          Verdict{}};  // a budget forbade the last evaluation
}

class ConvertedStore : public testing::TestWithParam<OpenMode> {};

TEST_P(ConvertedStore, HasEverythingThatTheOldOneHad) {
  samples::Folder folder;
  const auto path = folder.path("old.db");
  make_version_11(path);
  const auto store = Store::open(path, GetParam());
  const Reader reader(store);
  EXPECT_EQ(version_of(reader.database(), path), schema_version);

  const auto campaign = reader.campaign("quickstart");
  ASSERT_TRUE(campaign);
  EXPECT_EQ(campaign->config_text, "campaign: quickstart");
  const auto trajectories = reader.trajectories(campaign->id);
  ASSERT_EQ(trajectories.size(), 2u);
  EXPECT_EQ(trajectories[0].state, TrajectoryState::incomplete);
  EXPECT_EQ(trajectories[0].identity, "{}");
  const auto id = trajectories[0].id;
  const auto attempts = reader.attempts(id);
  ASSERT_EQ(attempts.size(), 1u);
  const auto answer = samples::candidate(1);
  EXPECT_EQ(attempts[0].candidate->source, answer.source);
  EXPECT_EQ(attempts[0].ask.raw_request, samples::ask(id, 0, 0, &answer).raw_request);

  const auto expected = recorded_verdicts();
  const auto journal = load_journal(reader, id);
  ASSERT_EQ(journal.size(), 1 + expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto& verdict = std::get<EvaluationRecord>(journal[i + 1]).verdict;
    EXPECT_EQ(text_of(verdict), text_of(expected[i])) << i;
  }
  const auto& correct = std::get<EvaluationRecord>(journal[1]).verdict;
  EXPECT_TRUE(std::isnan(correct.rooflines[1].intensity));
  EXPECT_EQ(std::get<EvaluationRecord>(journal.back()).status, EvaluationStatus::budget_exhausted);

  EXPECT_EQ(load_effect_events(reader, id).front().reason, "enough");
  EXPECT_EQ(reader.failed_attempts(id).front().raw_response, "cut");
  EXPECT_EQ(reader.baselines().front().cold.samples, (std::vector{2e-3, 3e-3}));
  EXPECT_EQ(reader.devices().front().ceilings.bandwidth, 2e10);
  EXPECT_EQ(reader.suite_tasks(campaign->id).front().notes, std::vector<std::string>{"note"});
  EXPECT_EQ(reader.last_run(campaign->id)->ended_as, "paused");
  EXPECT_EQ(store.connect_to_read()->execAndGet("SELECT count(*) FROM started_calls").getInt(), 1);
  EXPECT_EQ(store.connect_to_read()->execAndGet("PRAGMA integrity_check").getString(), "ok");
  EXPECT_EQ(store.connect_to_read()->execAndGet("SELECT count(*) FROM pragma_foreign_key_check").getInt(), 0);
}
INSTANTIATE_TEST_SUITE_P(BothModes, ConvertedStore,
                         testing::Values(OpenMode::create_or_resume, OpenMode::read_only));

/// The schema as SQLite keeps it.
std::string schema_in(const std::string& path) {
  SQLite::Database database(path);
  return database
      .execAndGet("SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema ORDER BY name)")
      .getString();
}

TEST(ConvertedStoreFile, HasTheSchemaOfANewOne) {
  samples::Folder folder;
  make_version_11(folder.path("old.db"));
  Store::open(folder.path("old.db"), OpenMode::create_or_resume);
  Store::open(folder.path("new.db"), OpenMode::create_or_resume);
  EXPECT_EQ(schema_in(folder.path("old.db")), schema_in(folder.path("new.db")));
  EXPECT_FALSE(std::filesystem::exists(folder.path("old.db.converting")));
}

TEST(ConvertedStoreFile, IsReadFromALogThatNobodyHasWrittenBackWhileAnotherReadsIt) {
  samples::Folder folder;
  const auto path = folder.path("old.db");
  make_version_11(path);
  SQLite::Database other(path, SQLite::OPEN_READWRITE);
  other.exec("PRAGMA journal_mode = WAL");
  other.exec("PRAGMA wal_autocheckpoint = 0");
  other.exec("UPDATE campaigns SET config_text = 'from the log'");
  SQLite::Statement reading(other, "SELECT config_text FROM campaigns");
  ASSERT_TRUE(reading.executeStep());
  ASSERT_GT(std::filesystem::file_size(path + "-wal"), 0u);

  const auto store = Store::open(path, OpenMode::create_or_resume);
  EXPECT_EQ(Reader(store).campaign("quickstart")->config_text, "from the log");
  EXPECT_EQ(version_of(Reader(store).database(), path), schema_version);
  EXPECT_EQ(reading.getColumn(0).getString(), "from the log");
}

TEST(ConvertedStoreFile, StaysAsItWasWhileAnotherProgramHoldsItsLock) {
  samples::Folder folder;
  const auto path = folder.path("old.db");
  make_version_11(path);
  SQLite::Database other(path, SQLite::OPEN_READWRITE);
  other.exec("PRAGMA journal_mode = WAL");
  other.exec("BEGIN IMMEDIATE");
  SQLite::Database ours(path, SQLite::OPEN_READWRITE);  // waits for no lock
  try {
    convert_version_11(ours, path);
    ADD_FAILURE() << "another program's transaction was overwritten";
  } catch (const MachineCannot& error) {
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("old.db"), HasSubstr("close that program")));
  }
  other.exec("ROLLBACK");
  EXPECT_EQ(ours.execAndGet("PRAGMA user_version").getInt(), 11);
  convert_version_11(ours, path);
  EXPECT_EQ(ours.execAndGet("PRAGMA user_version").getInt(), schema_version);
}

TEST(ConvertedStoreFile, StaysAsItWasWhereAVerdictIsDamaged) {
  samples::Folder folder;
  const auto path = folder.path("old.db");
  make_version_11(path);
  SQLite::Database(path, SQLite::OPEN_READWRITE)
      .exec("UPDATE evaluations SET verdict = '{\"cut' WHERE verdict IS NOT NULL");
  try {
    Store::open(path, OpenMode::create_or_resume);
    ADD_FAILURE() << "a damaged verdict was converted";
  } catch (const MachineCannot& error) {
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("old.db"), HasSubstr("Nothing was changed")));
  }
  EXPECT_EQ(SQLite::Database(path).execAndGet("PRAGMA user_version").getInt(), 11);
  EXPECT_EQ(SQLite::Database(path).execAndGet("SELECT count(*) FROM timings").getInt(), 2);
}

TEST(OlderStores, AreRefusedWithWhatToDoInBothModes) {
  samples::Folder folder;
  const auto path = folder.path("old.db");
  make_version_11(path);
  for (int version = 1; version < convertible_version; ++version) {
    SQLite::Database(path, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = " + std::to_string(version));
    for (const auto mode : {OpenMode::create_or_resume, OpenMode::read_only}) try {
        Store::open(path, mode);
        ADD_FAILURE() << version;
      } catch (const BadInput& error) {
        EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("schema version " + std::to_string(version)),
                                                 HasSubstr("the last ridgeline 0.1"),
                                                 HasSubstr("`ridgeline show " + path + "`")));
      }
  }
}

}  // namespace
}  // namespace ridgeline::store
