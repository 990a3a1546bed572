// Files that are no store, another program's or empty, given to the shipped program as a store.
#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>

#include "engine/store/store.hpp"
#include "tests/engine/cli/refusal.hpp"

namespace ridgeline::cli {
namespace {

using Texts = std::vector<std::string>;

/// Each command that opens a store, on the one at `path`.
std::vector<Texts> commands_on(const std::string& path) {
  return {{"show", path},
          {"compare", path},
          {"serve", path, "--port", "0"},
          {"export", path, "--format", "trl-sft"}};
}

class BadStore : public testing::Test {
 protected:
  /// `says` of every command, `run` among them.
  void expect_everywhere(const std::string& path, const Texts& says) {
    expect_of_readers(path, says);
    expect_of_run(path, says);
  }
  void expect_of_readers(const std::string& path, const Texts& says) {
    for (const auto& words : commands_on(path)) {
      SCOPED_TRACE(words[0]);
      refusal.expect(words, says);
    }
  }
  void expect_of_run(const std::string& path, const Texts& says) {
    SCOPED_TRACE("run");
    refusal.expect_campaign(refusal.campaign(), says, {"--store", path});
  }
  /// As a campaign leaves it that was made and not begun.
  std::string empty_store() const {
    const auto path = refusal.path("empty.db");
    store::Store::open(path, store::OpenMode::create_or_resume);
    std::filesystem::remove(path + ".lock");
    return path;
  }

  Refusal refusal;
};

TEST_F(BadStore, ATextFile) {
  refusal.write("notes.txt", "Some words that somebody wrote down, and would miss.\n");
  expect_everywhere(refusal.path("notes.txt"), {"notes.txt is not a Ridgeline store", "name another file"});
}

TEST_F(BadStore, ALargerTextFile) {
  refusal.write("notes.txt", std::string(100'000, 'x'));
  expect_everywhere(refusal.path("notes.txt"), {"notes.txt is not a Ridgeline store", "name another file"});
}

TEST_F(BadStore, AFolder) {
  expect_everywhere(refusal.path(""), {"is a folder: name a file in it as the store"});
}

TEST_F(BadStore, ADevice) {
  expect_everywhere("/dev/null", {"/dev/null is no regular file: name another one"});
}

TEST_F(BadStore, AFileOfAnotherProgram) {
  const auto path = refusal.path("theirs.db");
  SQLite::Database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec("CREATE TABLE theirs (x)");
  expect_of_readers(path, {"is an SQLite file of another program", "name another file"});
}

TEST_F(BadStore, AMissingFile) {
  expect_of_readers(refusal.path("none.db"),
                    {"there is no store at ", "none.db", "`ridgeline run CONFIG` makes one"});
}

TEST_F(BadStore, AnEmptyFile) {
  refusal.write("empty.db", "");
  expect_of_readers(refusal.path("empty.db"),
                    {"empty.db is an empty file, and no store", "name another one"});
}

TEST_F(BadStore, AStoreWithNoCampaign) {
  const auto path = empty_store();
  expect_of_readers(
      path, {"empty.db holds no campaign yet", "`ridgeline run CONFIG --store " + path + "` fills it"});
}

TEST_F(BadStore, AStoreOfANewerVersion) {
  const auto path = empty_store();
  SQLite::Database(path, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 999");
  expect_everywhere(path, {"empty.db has schema version 999", "use the newer ridgeline that made it"});
}

TEST_F(BadStore, AStoreThatAnotherProcessWrites) {
  const auto path = empty_store();
  refusal.write("empty.db.lock", std::to_string(::getpid()) + "\n");
  const int held = ::open((path + ".lock").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(held, LOCK_EX | LOCK_NB), 0);
  expect_of_run(
      path, {"empty.db is being written by process " + std::to_string(::getpid()), "wait for it or stop it"});
  ::close(held);
}

TEST_F(BadStore, APathThroughAFile) {
  refusal.write("notes.txt", "x");
  expect_of_run(refusal.path("notes.txt/trial.db"), {"notes.txt", "Not a directory", "Name another"});
}

TEST_F(BadStore, ANameThatNoFileCanHave) {
  expect_everywhere(refusal.path(std::string(300, 'x')),
                    {"cannot be a store: File name too long", "Name another file"});
}

}  // namespace
}  // namespace ridgeline::cli
