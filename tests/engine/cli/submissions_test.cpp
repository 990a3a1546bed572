// `ridgeline evaluate --out`: what is wrong is said before a submission is run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "tests/engine/cli/program.hpp"

namespace ridgeline::cli {
namespace {

using testing::HasSubstr;

class SubmissionsOnTheCommandLine : public testing::Test {
 protected:
  SubmissionsOnTheCommandLine() {
    std::filesystem::create_directories(folder_);
    write_file(predictions_, R"({"predict": "def half_relu(x): return x", "file": "half_relu.py"})");
  }
  ~SubmissionsOnTheCommandLine() override { std::filesystem::remove_all(folder_); }

  ProgramResult evaluate(const std::vector<std::string>& more, const std::string& suite = clone()) const {
    std::vector<std::string> words{"evaluate", "--suite", suite, predictions_, "--out", folder_ + "/out"};
    words.insert(words.end(), more.begin(), more.end());
    return ridgeline(words);
  }
  static std::string clone() {
    return std::string("kernelbenchx:") + RIDGELINE_SOURCE_DIR + "/tests/engine/suites/kernelbenchx/clone";
  }
  void refuses(const ProgramResult& ran, const std::string& words) const {
    EXPECT_EQ(ran.status, 2) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(words));
    EXPECT_FALSE(std::filesystem::exists(folder_ + "/out")) << "nothing was spent";
  }

  std::string folder_ =
      std::filesystem::temp_directory_path() / ("submissions-cli-" + std::to_string(getpid()));
  std::string predictions_ = folder_ + "/predictions.jsonl";
};

TEST_F(SubmissionsOnTheCommandLine, RefusesBadLinesWithTheirNumbers) {
  write_file(predictions_, "{\"predict\": \"x\", \"file\": \"half_relu.py\"}\n{\"predict\": \"x\"}\n");
  refuses(evaluate({"--no-time"}), "line 2 has no text \"file\"");
}

TEST_F(SubmissionsOnTheCommandLine, RefusesWhatTheRuleOfTheSuiteHasNot) {
  refuses(evaluate({"--language", "triton"}), "--language does not go with --out");
  refuses(evaluate({"--device-memory", "24GiB"}), "--device-memory does not go with --out");
  refuses(evaluate({"--precision", "bf16"}), "--precision does not go with --out");
  refuses(evaluate({"--scale", "1/4"}), "--scale does not go with --out");
  for (const std::string flag :
       {"--no-counters", "--all-counters", "--no-torch-headers", "--energy", "--final"})
    refuses(evaluate({flag}), flag + " does not go with --out");
  refuses(evaluate({"--precision-goal", "0.05"}), "--precision-goal does not go with --out");
}

TEST_F(SubmissionsOnTheCommandLine, RefusesOtherSuites) {
  refuses(evaluate({}, "kernelbench:."), "give --suite kernelbenchx:PATH");
}

TEST_F(SubmissionsOnTheCommandLine, RefusesACloneWithoutTimes) {
  refuses(evaluate({}), "--golden 5090: no tables of reference times");
}

TEST_F(SubmissionsOnTheCommandLine, RefusesADeviceThatIsNone) {
  refuses(evaluate({"--no-time", "--device", "gpu"}), "give cuda, cuda:<number> or cpu");
}

TEST_F(SubmissionsOnTheCommandLine, RefusesASecondFile) {
  refuses(evaluate({"kernel.py"}), "--out wants one file");
}

TEST_F(SubmissionsOnTheCommandLine, RefusesItsOptionsWithoutAFolder) {
  const auto ran = ridgeline({"evaluate", "softmax", "k.cpp", "--device", "cpu"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("--device requires --out"));
}

TEST(EvaluateOptions, AllCountersAndNoneExcludeEachOther) {
  const auto ran = ridgeline({"evaluate", "softmax", "k.cpp", "--no-counters", "--all-counters"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err,
              testing::AllOf(HasSubstr("excludes"), HasSubstr("--all-counters"), HasSubstr("--no-counters")));
}

TEST_F(SubmissionsOnTheCommandLine, EndsWithThreeWhereItsDeviceIsNotThere) {
  const auto ran = evaluate({"--no-time", "--device", "cuda:99"});
  EXPECT_EQ(ran.status, 3) << ran.err;
  EXPECT_THAT(ran.err, testing::AnyOf(HasSubstr("--device cpu"), HasSubstr("RIDGELINE_PYTHON")));
  EXPECT_EQ(ran.out, "");
}

}  // namespace
}  // namespace ridgeline::cli
