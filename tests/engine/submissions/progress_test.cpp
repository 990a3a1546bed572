#include "engine/submissions/progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/core/error.hpp"

namespace ridgeline::submissions {
namespace {

class SubmissionProgress : public testing::Test {
 protected:
  SubmissionProgress() { std::filesystem::remove_all(folder_); }
  ~SubmissionProgress() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("submissions-progress-" + std::to_string(getpid()));
};

TEST_F(SubmissionProgress, KeepsResultsOverRuns) {
  Progress(folder_).keep("a", {{"x", 1}});
  Progress again(folder_);
  EXPECT_EQ(again.find("a"), (nlohmann::json{{"x", 1}}));
  EXPECT_EQ(again.find("b"), std::nullopt);
  EXPECT_EQ(again.earlier(), 1U);
}

TEST_F(SubmissionProgress, DropsALineThatWasCutShortAndWritesBehindTheWholeOnes) {
  Progress(folder_).keep("a", 1);
  std::ofstream(folder_ / "progress.jsonl", std::ios::app) << R"({"key": "b", "res)";
  {
    Progress cut(folder_);
    EXPECT_EQ(cut.earlier(), 1U);
    cut.keep("c", 3);
  }
  Progress after(folder_);
  EXPECT_EQ(after.find("a"), nlohmann::json(1));
  EXPECT_EQ(after.find("b"), std::nullopt);
  EXPECT_EQ(after.find("c"), nlohmann::json(3));
}

TEST_F(SubmissionProgress, RefusesAFolderInWhichAnotherRunWrites) {
  const Progress first(folder_);
  EXPECT_THROW(Progress second(folder_), BadInput);
}

}  // namespace
}  // namespace ridgeline::submissions
