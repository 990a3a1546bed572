// How the door reads, waits and writes.
#include "engine/evaluation/door.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <thread>

#include "tests/engine/evaluation/door_bed.hpp"

namespace ridgeline::evaluation {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class DoorTest : public test::DoorBed {};

TEST_F(DoorTest, WritesEachVerdictAsItEndsWithRewardAndRawNumbers) {
  auto door = make_door();
  std::optional<DoorCount> count;
  door.run([&](DoorCount told) { count = told; });
  write(request("first") + "\n" + request("second"));
  close_input();
  while (evaluator.asked < 2) io.run_one();
  evaluator.answer_last();
  evaluator.answer_last();
  io.run();
  ASSERT_TRUE(count);
  EXPECT_EQ(count->verdicts, 2u);
  const auto lines = read_all();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].at("id"), "second") << "order of completion";
  EXPECT_EQ(lines[0].at("schema"), door_schema);
  EXPECT_EQ(lines[0].at("correct"), true);
  EXPECT_DOUBLE_EQ(lines[0].at("reward"), 1.8);
  EXPECT_THAT(lines[0].at("reward_formula").get<std::string>(), HasSubstr("Kevin"));
  EXPECT_EQ(lines[0].at("verdict").at("timing").at("speedup"), 1.5);
  EXPECT_EQ(lines[1].at("id"), "first");
}

TEST_F(DoorTest, LetsAClientWriteAllLinesBeforeItReadsTheFirstVerdict) {
  constexpr std::size_t lines = 3000;
  constexpr int patience_ms = 60'000;  // of a write that the door does not take: that is the failure
  evaluator.at_once = true;
  auto door = make_door({.memory = 10'000});
  std::optional<DoorCount> count;
  door.run([&](DoorCount told) { count = told; });
  std::thread engine([&] { io.run(); });
  ASSERT_EQ(::fcntl(input[1], F_SETFL, O_NONBLOCK), 0);
  bool hangs = false;
  for (std::size_t i = 0; i < lines && !hangs; ++i) {
    const auto text = i % 3 == 0 ? std::string("nonsense\n") : request(std::to_string(i));
    for (std::string_view rest = text; !rest.empty() && !hangs;) {
      pollfd room{input[1], POLLOUT, 0};
      hangs = ::poll(&room, 1, patience_ms) != 1;
      const ssize_t wrote = ::write(input[1], rest.data(), rest.size());
      if (wrote > 0) rest.remove_prefix(static_cast<std::size_t>(wrote));
    }
  }
  EXPECT_FALSE(hangs) << "several times what two pipes hold was to be written";
  close_input();
  if (hangs) ::close(std::exchange(output[0], -1));  // so that the door ends
  // The door ends only when all is written, and that is read here.
  std::string out;
  char block[65536];
  while (static_cast<std::size_t>(std::ranges::count(out, '\n')) < lines && !hangs) {
    const ssize_t got = ::read(output[0], block, sizeof block);
    ASSERT_GT(got, 0);
    out.append(block, static_cast<std::size_t>(got));
  }
  engine.join();
  ASSERT_TRUE(count);
  EXPECT_EQ(count->verdicts, lines * 2 / 3);
  EXPECT_EQ(count->errors, lines / 3);
  EXPECT_LE(evaluator.most_held, 16);
}

TEST_F(DoorTest, NeverHasMoreRequestsInFlightThanAllowed) {
  auto door = make_door({.in_flight = 3});
  bool done = false;
  door.run([&](const DoorCount&) { done = true; });
  std::string all;
  for (int i = 0; i < 40; ++i) all += request(std::to_string(i));
  write(all);
  close_input();
  while (!done) {
    io.run_one();
    // Only when as many are held as allowed is one let go: the door must never have asked for more.
    if (evaluator.waiting.size() == 3 || evaluator.asked >= 38)
      if (!evaluator.waiting.empty()) evaluator.answer_last();
  }
  EXPECT_EQ(evaluator.asked, 40);
  EXPECT_EQ(evaluator.most_held, 3);
  EXPECT_EQ(read_all().size(), 40u);
}

TEST_F(DoorTest, ReadsALastLineWithoutALineEnd) {
  evaluator.at_once = true;
  auto door = make_door();
  std::optional<DoorCount> count;
  door.run([&](DoorCount told) { count = told; });
  auto line = request("a");
  line.pop_back();
  write(line);
  close_input();
  io.run();
  EXPECT_EQ(count->verdicts, 1u);
}

TEST_F(DoorTest, EndsWhenNobodyReadsTheVerdicts) {
  evaluator.at_once = true;
  auto door = make_door();
  std::optional<DoorCount> count;
  door.run([&](DoorCount told) { count = told; });
  ::close(std::exchange(output[0], -1));
  write(request("a"));
  io.run();  // returns although the input is still open
  ASSERT_TRUE(count);
  EXPECT_THAT(count->broken, HasSubstr("cannot write verdicts"));
}

TEST_F(DoorTest, CallsNobodyAfterStop) {
  auto door = make_door();
  door.run([](const DoorCount&) { ADD_FAILURE() << "called"; });
  write(request("a"));
  while (evaluator.asked < 1) io.run_one();
  door.stop();
  evaluator.answer_last();
  io.run();
  EXPECT_TRUE(read_all().empty());
}

}  // namespace
}  // namespace ridgeline::evaluation
