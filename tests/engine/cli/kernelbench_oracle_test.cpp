// `ridgeline tasks check` on files in KernelBench's format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <nlohmann/json.hpp>

#include "tests/engine/cli/program.hpp"

namespace ridgeline::cli {
namespace {

using testing::HasSubstr;

ProgramResult tasks(std::vector<std::string> words, const std::vector<std::string>& more) {
  ::setenv("RIDGELINE_PYTHON", RIDGELINE_PYTHON, 1);
  words.insert(words.begin(), "tasks");
  words.insert(words.end(), {"--suite", std::string("kernelbench:") + RIDGELINE_SOURCE_DIR +
                                            "/tests/engine/suites/kernelbench/clone"});
  words.insert(words.end(), more.begin(), more.end());
  return ridgeline(words);
}

ProgramResult check(const std::vector<std::string>& more) {
  return tasks({"check", "--levels", "1,2"}, more);
}

TEST(OracleOnTheCommandLine, SaysWhatEachTaskIs) {
  const auto ran = check({"1_statistics", "4_vanishes", "3_raises", "10_huge", "--json"});
  EXPECT_EQ(ran.status, 1) << ran.err;
  const auto document = nlohmann::json::parse(ran.out);
  EXPECT_EQ(document.at("passed"), false);
  EXPECT_EQ(document.at("counts"),
            (nlohmann::json{{"ok", 1}, {"degenerate", 1}, {"broken", 1}, {"does_not_fit", 1}}));
  const auto& sound = document.at("tasks").at(0);
  EXPECT_EQ(sound.at("name"), "level1/1_statistics");
  EXPECT_EQ(sound.at("standing"), "ok");
  EXPECT_GT(sound.at("peak_bytes"), 0);
  EXPECT_EQ(sound.at("bytes").at("inputs"), 512);
}

TEST(OracleOnTheCommandLine, ReturnsZeroForASoundTaskAndThreeForATaskThatDoesNotFit) {
  const auto sound = check({"1_statistics"});
  EXPECT_EQ(sound.status, 0) << sound.err;
  EXPECT_THAT(sound.out, HasSubstr("ok           level1/1_statistics"));
  EXPECT_EQ(check({"10_huge"}).status, 3);
}

TEST(OracleOnTheCommandLine, ShowsWhatANativeAnswerImplements) {
  const auto shown = tasks({"show"}, {"1_statistics", "--stub", "cuda"});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("extern \"C\" void kernel_level1_1_statistics("));
  EXPECT_THAT(shown.out, HasSubstr("cudaStream_t"));
}

}  // namespace
}  // namespace ridgeline::cli
