// Real programs that print a key, and programs that misbehave.
#include "llm_clients/command_runner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <fstream>
#include <optional>

#include "tests/llm_clients/scratch_folder.hpp"

namespace ridgeline::llm {
namespace {

using testing::HasSubstr;

CommandOutcome outcome_of(const std::vector<std::string>& words, double limit = 60) {
  boost::asio::io_context io;
  const auto runner = make_command_runner(io, limit);
  std::optional<CommandOutcome> seen;
  runner->run(words, [&](const CommandOutcome& outcome) { seen = outcome; });
  EXPECT_FALSE(seen) << "not from inside";
  io.run();
  return seen.value_or(CommandOutcome{"", "no outcome"});
}

TEST(CommandRunner, ReturnsTheOutputWithoutSurroundingSpace) {
  const auto outcome = outcome_of({"printf", "  a token\\n"});
  EXPECT_EQ(outcome.output, "a token");
  EXPECT_EQ(outcome.problem, "");
  EXPECT_EQ(outcome_of({"printf", "%s", "$HOME; echo no shell"}).output, "$HOME; echo no shell");
  EXPECT_EQ(outcome_of({"cat"}).problem, "prints nothing") << "it has no input";
}

TEST(CommandRunner, SaysWhatFailedAndNotWhatWasPrinted) {
  EXPECT_EQ(outcome_of({"sh", "-c", "echo secret; echo secret >&2; exit 3"}).problem, "ended with 3");
  EXPECT_EQ(outcome_of({"sh", "-c", "kill -9 $$"}).problem, "was ended by signal 9");
  EXPECT_THAT(outcome_of({"/nonexistent/program"}).problem, HasSubstr("cannot be started"));
  EXPECT_EQ(outcome_of({"sh", "-c", "yes"}).problem, "prints more than a key");
  EXPECT_THAT(outcome_of({"sleep", "1000"}, 0.01).problem, HasSubstr("did not end within"));
  EXPECT_THAT(outcome_of({"sh", "-c", "exec >&-; sleep 1000"}, 0.05).problem,
              HasSubstr("did not end within"));
}

TEST(CommandRunner, KillsRunningProgramsWhenDestroyed) {
  const test::ScratchFolder folder;
  boost::asio::io_context io;
  auto runner = make_command_runner(io);
  const auto file = (folder / "pid").string();
  runner->run({"sh", "-c", "sleep 1000 & echo $! >" + file + "; wait"},
              [](const CommandOutcome&) { FAIL(); });
  pid_t child = 0;
  while (!(std::ifstream(file) >> child)) io.poll();
  runner.reset();
  io.run();
  // Killed; until whoever inherited it has seen that, it is a zombie.
  std::string state;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  do {
    state = "gone";
    std::ifstream stat("/proc/" + std::to_string(child) + "/stat");
    std::string skipped;
    if (stat >> skipped >> skipped >> state && state == "Z") state = "gone";
  } while (state != "gone" && std::chrono::steady_clock::now() < end);
  EXPECT_EQ(state, "gone");
}

}  // namespace
}  // namespace ridgeline::llm
