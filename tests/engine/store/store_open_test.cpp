// Tests which files Store::open refuses, and with which message.
#include "engine/store/store.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "engine/core/error.hpp"
#include "engine/store/file_system.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/writer.hpp"
#include "tests/engine/store/processes.hpp"
#include "tests/engine/store/samples.hpp"

namespace ridgeline::store {
namespace {

using samples::Child;
using samples::Folder;
using testing::AllOf;
using testing::HasSubstr;

constexpr auto write_mode = OpenMode::create_or_resume;

template <class Expected>
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Expected& error) {
    return error.what();
  }
  return "nothing was thrown";
}

void run_here(const std::function<void()>& work) {
  work();
}

TEST(StoreOpen, MakesTheFolderAndTheFile) {
  Folder folder;
  const auto path = folder.path("runs/deep/new.db");
  EXPECT_EQ(Store::open(path, write_mode).path(), path);
  EXPECT_TRUE(std::filesystem::exists(path));
}

TEST(StoreOpen, SecondProcessIsToldWhoHoldsIt) {
  Folder folder;
  const auto path = folder.path("store.db");
  Child holder([&](int pipe) {
    const auto store = Store::open(path, write_mode);
    samples::say(pipe, 1);
    pause();
  });
  ASSERT_EQ(holder.hear(), 1);
  EXPECT_THAT(message_of<BadInput>([&] { Store::open(path, write_mode); }),
              AllOf(HasSubstr("process " + std::to_string(holder.pid())), HasSubstr("store.db")));
  EXPECT_NO_THROW(Reader(Store::open(path, OpenMode::read_only)).campaigns())
      << "readers are welcome meanwhile";

  holder.kill_now();  // the kernel frees the lock
  EXPECT_NO_THROW(Store::open(path, write_mode));
}

TEST(StoreOpen, SecondWriterInOneProcessIsRefusedToo) {
  Folder folder;
  const auto store = Store::open(folder.path("store.db"), write_mode);
  EXPECT_THROW(Store::open(folder.path("store.db"), write_mode), BadInput);
}

TEST(StoreOpen, NewerVersionIsRefusedInBothModes) {
  Folder folder;
  const auto path = folder.path("store.db");
  Store::open(path, write_mode);
  SQLite::Database(path, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 999");
  std::filesystem::remove(path + ".lock");
  for (const auto mode : {write_mode, OpenMode::read_only})
    EXPECT_THAT(message_of<BadInput>([&] { Store::open(path, mode); }),
                AllOf(HasSubstr("999"), HasSubstr("newer ridgeline")));
  EXPECT_FALSE(std::filesystem::exists(path + ".lock")) << "not even a lock is left behind";
}

TEST(StoreOpen, WhatIsNoStoreIsLeftAlone) {
  Folder folder;
  const auto path = folder.path("notes.txt");
  for (const std::string text :
       {"a", "just some words that somebody wrote down\n", "SQLite format 3", "SQLite format 4"}) {
    std::ofstream(path) << (text.size() == 15 ? text + std::string(200, 'x') : text);
    for (const auto mode : {write_mode, OpenMode::read_only})
      EXPECT_THAT(message_of<BadInput>([&] { Store::open(path, mode); }),
                  AllOf(HasSubstr("not a Ridgeline store"), HasSubstr(".recover")));
  }
  std::ofstream(path, std::ios::trunc).flush();
  EXPECT_THAT(message_of<BadInput>([&] { Store::open(path, OpenMode::read_only); }),
              HasSubstr("is an empty file"));
  EXPECT_EQ(std::filesystem::file_size(path), 0u);
  EXPECT_THAT(message_of<BadInput>([&] { Store::open("/dev/null", write_mode); }),
              HasSubstr("no regular file"));
  EXPECT_THAT(message_of<BadInput>([&] { Store::open(path + "/store.db", write_mode); }),
              HasSubstr("notes.txt"));
  EXPECT_THAT(message_of<BadInput>([&] { Store::open(folder.path(std::string(300, 'x')), write_mode); }),
              HasSubstr("File name too long"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.root()), {}), 1)
      << "nothing was written";
  EXPECT_NO_THROW(Store::open(path, write_mode)) << "an empty file may become a store";
}

TEST(StoreOpen, FileOfAnotherProgramIsLeftAlone) {
  Folder folder;
  const auto path = folder.path("other.db");
  SQLite::Database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec("CREATE TABLE theirs (x)");
  EXPECT_THAT(message_of<BadInput>([&] { Store::open(path, write_mode); }),
              HasSubstr("not a Ridgeline store"));
  SQLite::Database theirs(path);
  EXPECT_EQ(theirs.execAndGet("PRAGMA journal_mode").getString(), "delete");
}

TEST(StoreOpen, MissingFileIsNotMadeForReading) {
  Folder folder;
  EXPECT_THAT(message_of<BadInput>([&] { Store::open(folder.path("no.db"), OpenMode::read_only); }),
              HasSubstr("no store at"));
  EXPECT_THAT(message_of<BadInput>([&] { Store::open(folder.root().string(), write_mode); }),
              HasSubstr("is a folder"));
}

TEST(StoreOpen, NetworkFileSystemIsRefusedUnlessNothingCanBeWritten) {
  Folder folder;
  const auto path = folder.path("store.db");
  OpenOptions on_lustre;
  on_lustre.file_system_type = [](const std::string&) { return 0x0bd00bd0; };
  EXPECT_THAT(message_of<MachineCannot>([&] { Store::open(path, write_mode, on_lustre); }),
              AllOf(HasSubstr("Lustre"), HasSubstr("disk of this machine")));
  EXPECT_FALSE(std::filesystem::exists(path));

  Store::open(path, write_mode);  // closed in order: no log beside it
  EXPECT_EQ(Reader(Store::open(path, OpenMode::read_only, on_lustre)).campaigns().size(), 0u);

  const auto store = Store::open(path, write_mode);
  Writer writer(store, run_here);
  auto campaign = samples::campaign();
  std::vector<TrajectoryRecord> none;
  writer.create(campaign, {}, none);
  EXPECT_THAT(message_of<MachineCannot>([&] { Store::open(path, OpenMode::read_only, on_lustre); }),
              HasSubstr("-wal"));
}

TEST(StoreOpen, NamesOfNetworkFileSystems) {
  EXPECT_EQ(network_file_system(0x6969), "NFS");
  EXPECT_EQ(network_file_system(static_cast<std::int32_t>(0xff534d42)), "CIFS")
      << "f_type may come sign-extended";
  EXPECT_EQ(network_file_system(0xef53), std::nullopt) << "ext4";
  EXPECT_EQ(network_file_system(file_system_type("/proc")), std::nullopt);
}

TEST(StoreOpen, FolderWithoutWritePermission) {
  Folder folder;
  namespace fs = std::filesystem;
  const auto path = folder.path("store.db");
  Store::open(path, write_mode);
  fs::remove(path + ".lock");
  fs::permissions(path, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
  fs::permissions(folder.root(), fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                                     fs::perms::others_exec);
  Child writing([&](int) {
    samples::become_ordinary();
    Store::open(path, write_mode);
  });
  EXPECT_THAT(writing.rest(), AllOf(HasSubstr("Permission denied"), HasSubstr("--store")));
  Child reading([&](int pipe) {
    samples::become_ordinary();
    samples::say(pipe, std::to_string(Reader(Store::open(path, OpenMode::read_only)).campaigns().size()));
  });
  EXPECT_EQ(reading.rest(), "0");
}

}  // namespace
}  // namespace ridgeline::store
