// Lines that wait: in order, whole, and in bounded memory.
#include "engine/evaluation/spool.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/evaluation/line_sink.hpp"
#include "engine/evaluation/line_source.hpp"
#include "engine/evaluation/seen_ids.hpp"

namespace ridgeline::evaluation {
namespace {

std::string record(std::size_t number, std::size_t bytes) {
  auto text = std::to_string(number) + " ";
  text.resize(std::max(text.size(), bytes), static_cast<char>('a' + number % 26));
  return text;
}

TEST(Spool, ReturnsRecordsInOrder) {
  Spool spool(1000);
  EXPECT_FALSE(spool.pop());
  std::size_t in = 0, out = 0;
  // Waves, the longest of which are far beyond the memory, with takers that never quite catch up.
  for (const std::size_t wave : {5U, 3000U, 1U, 40000U, 7U}) {
    for (std::size_t i = 0; i < wave; ++i, ++in) spool.push(record(in, in % 97));
    for (std::size_t i = 0; i < wave - 1; ++i, ++out) ASSERT_EQ(spool.pop(), record(out, out % 97));
  }
  while (out < in) {
    ASSERT_EQ(spool.pop(), record(out, out % 97));
    ++out;
  }
  EXPECT_TRUE(spool.empty());
  EXPECT_FALSE(spool.pop());
}

TEST(Spool, HoldsRecordsLargerThanItsBlocksAndEmptyOnes) {
  Spool spool(0);
  const std::vector<std::string> records{record(0, 700'000), "", record(1, 300'000), "", record(2, 1)};
  for (const auto& one : records) spool.push(one);
  for (const auto& one : records) ASSERT_EQ(spool.pop(), one);
}

TEST(Spool, EmptiesTheFileWhenItsLastRecordWasRead) {
  Spool spool(0);
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < 100; ++i) spool.push(record(i, 10'000));
    EXPECT_GT(spool.file_bytes(), 500'000u);
    for (std::size_t i = 0; i < 100; ++i) ASSERT_EQ(spool.pop(), record(i, 10'000));
    EXPECT_EQ(spool.file_bytes(), 0u);
  }
}

TEST(Spool, LeavesNoNamedFile) {
  const auto folder = std::filesystem::temp_directory_path() / ("spool-test-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  {
    Spool spool(0, folder);
    for (std::size_t i = 0; i < 100; ++i) spool.push(record(i, 10'000));
    EXPECT_TRUE(std::filesystem::is_empty(folder));
  }
  std::filesystem::remove_all(folder);
}

TEST(Spool, SaysWhereItsFileFailedAndHowToFixIt) {
  Spool spool(10, "/no/such/folder");
  spool.push("short");
  try {
    spool.push("longer than memory");
    FAIL() << "expected MachineCannot";
  } catch (const MachineCannot& error) {
    EXPECT_NE(std::string(error.what()).find("/no/such/folder"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("TMPDIR"), std::string::npos);
  }
  EXPECT_EQ(spool.pop(), "short") << "what waited is still there";
  EXPECT_TRUE(spool.empty());
}

/// Something that another thread brings about.
class Signal {
 public:
  void give() {
    const std::lock_guard lock(mutex_);
    given_ = true;
    changed_.notify_all();
  }
  void await() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return given_; });
    given_ = false;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool given_ = false;
};

TEST(LineSource, ReadsToTheEndWithoutAConsumer) {
  int pipe[2];
  ASSERT_EQ(::pipe2(pipe, O_CLOEXEC), 0);
  Signal news;
  LineSource source(pipe[0], 1000, 100, [&] { news.give(); });
  std::string text;
  for (int i = 1; i <= 20'000; ++i) text += i % 2 == 0 ? "line " + std::to_string(i) + "\r\n" : " \n";
  text += std::string(2000, 'x') + "\nlast";
  // Several times what a pipe holds: this returns because the source reads on.
  ASSERT_EQ(::write(pipe[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ::close(pipe[1]);
  std::vector<LineSource::Line> lines;
  while (!source.ended()) {
    while (auto line = source.next()) lines.push_back(std::move(*line));
    if (!source.ended()) news.await();
  }
  ASSERT_EQ(lines.size(), 10'002u) << "blank lines only count";
  EXPECT_EQ(lines[4].number, 10u);
  EXPECT_EQ(lines[4].text, "line 10\r");
  EXPECT_TRUE(lines[10'000].too_long);
  EXPECT_EQ(lines[10'000].text, "");
  EXPECT_EQ(lines[10'001].text, "last");
  EXPECT_EQ(lines[10'001].number, 20'002u);
  EXPECT_EQ(source.error(), "");
  ::close(pipe[0]);
}

TEST(LineSink, AcceptsLinesWithoutAReaderAndWritesThemInOrder) {
  int pipe[2];
  ASSERT_EQ(::pipe2(pipe, O_CLOEXEC), 0);
  Signal over;
  std::string why = "not called";
  std::string expected, got;
  {
    LineSink sink(pipe[1], 100, [&](std::string told) {
      why = std::move(told);
      over.give();
    });
    for (int i = 0; i < 20'000; ++i) {
      const auto line = "verdict " + std::to_string(i) + "\n";
      expected += line;
      sink.put(line);
    }
    sink.close();
    char block[4096];
    while (got.size() < expected.size()) {
      const ssize_t count = ::read(pipe[0], block, sizeof block);
      ASSERT_GT(count, 0);
      got.append(block, static_cast<std::size_t>(count));
    }
    over.await();
  }
  EXPECT_EQ(why, "");
  EXPECT_EQ(got, expected);
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST(LineSink, StopsAtOnceInsideABlockedWrite) {
  int pipe[2];
  ASSERT_EQ(::pipe2(pipe, O_CLOEXEC), 0);
  {
    LineSink sink(pipe[1], 100,
                  [](const std::string&) { ADD_FAILURE() << "it is not over, it was stopped"; });
    sink.put(std::string(1'000'000, 'x'));
  }
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST(SeenIds, NameTheFirstLineOfAnIdAndForgetTheOldest) {
  SeenIds ids(2);
  EXPECT_FALSE(ids.add("1", 1));
  EXPECT_FALSE(ids.add("\"1\"", 2));
  EXPECT_EQ(ids.add("1", 3), 1u);
  EXPECT_FALSE(ids.add("2", 4));
  EXPECT_FALSE(ids.add("1", 5)) << "two ids ago";
}

}  // namespace
}  // namespace ridgeline::evaluation
