// A clone of KernelBench on the command line: what needs no Python.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/engine/cli/program.hpp"

namespace ridgeline::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string suite =
    std::string("kernelbench:") + RIDGELINE_SOURCE_DIR + "/tests/engine/suites/kernelbench/clone";

TEST(KernelBench, IsListed) {
  const auto ran = ridgeline({"tasks", "list", "--suite", suite, "--levels", "1"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("level1/1_statistics\nlevel1/2_largest_index\n"));
}

TEST(KernelBench, IsListedAsADocument) {
  const auto ran = ridgeline({"tasks", "list", "--suite", suite, "--levels", "2", "--json"});
  const auto document = nlohmann::json::parse(ran.out);
  EXPECT_EQ(document.at("suite"), "kernelbench");
  EXPECT_EQ(document.at("tasks").at(0).at("name"), "level2/1_dropout");
  EXPECT_EQ(document.at("tasks").at(0).at("level"), 2);
}

TEST(KernelBench, ShowsTheFileAsItIs) {
  const auto ran = ridgeline({"tasks", "show", "--suite", suite, "--levels", "1", "3_labels"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("torch.randint(0, 10, (64,))"));
}

TEST(KernelBench, WrongNamesEndWithTwo) {
  EXPECT_EQ(ridgeline({"tasks", "list", "--suite", suite}).status, 0)
      << "those of levels 1 to 3 that are there";
  const auto level = ridgeline({"tasks", "list", "--suite", suite, "--levels", "3"});
  EXPECT_EQ(level.status, 2);
  EXPECT_THAT(level.err, HasSubstr("no level 3; there are: 1, 2"));
  const auto task = ridgeline({"tasks", "check", "--suite", suite, "--levels", "1", "3_lables"});
  EXPECT_EQ(task.status, 2);
  EXPECT_THAT(task.err, HasSubstr("did you mean \"3_labels\""));
  const auto native = ridgeline({"tasks", "list", "--levels", "1"});
  EXPECT_EQ(native.status, 2);
  EXPECT_THAT(native.err, HasSubstr("--levels"));
}

}  // namespace
}  // namespace ridgeline::cli
