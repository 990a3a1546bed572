// Cases so large that nothing is kept beside what is at hand: here small ones, of a backend that says they
// are.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "engine/worker/judge/judge.hpp"
#include "engine/worker/languages/python_toolchain.hpp"
#include "engine/worker/protocol/torch_job.hpp"
#include "tests/engine/worker/judge/correctness/streaming_host.hpp"
#include "tests/engine/worker/judge/linear_task.hpp"

namespace ridgeline::judge {
namespace {

class OracleJudgesStreaming : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto python = tests_python();
    const JudgeOptions options{.runner = RIDGELINE_BIN_DIR "/ridgeline-runner",
                               .scratch = std::filesystem::temp_directory_path(),
                               .python = python};
    judge_ = std::make_unique<Judge>(options, std::make_unique<StreamingHost>(python));
  }
  static void TearDownTestSuite() { judge_.reset(); }

  static Verdict judged(const std::string& forward) {
    auto source = std::string(linear_model) +
                  "class ModelNew(Model):\n    calls = 0\n    def forward(self, x):\n" + forward;
    const auto job =
        std::filesystem::temp_directory_path() / ("streaming-" + std::to_string(::getpid()) + ".json");
    std::ofstream(job) << protocol::to_json(
        protocol::torch_job(linear_task(), "ModelNew", source, "answer.py"));
    auto verdict = judge_->judge(
        {"1", linear_task(), job.string(), make_candidate(Language::torch, source), {.isolation = "none"}});
    std::filesystem::remove(job);
    return verdict;
  }

  static std::unique_ptr<Judge> judge_;
};
std::unique_ptr<Judge> OracleJudgesStreaming::judge_;

TEST_F(OracleJudgesStreaming, ChecksAndTimesRightAnswers) {
  const int before = StreamingMemory::given_back;
  for (int turn = 0; turn < 2; ++turn) {  // nothing is left over for the second
    const auto verdict = judged("        return torch.addmm(self.linear.bias, x, self.linear.weight.t())\n");
    EXPECT_EQ(verdict.at(Stage::correctness).status, Status::passed)
        << verdict.at(Stage::call).detail << verdict.at(Stage::correctness).detail;
    EXPECT_EQ(verdict.at(Stage::timing).status, Status::passed) << verdict.at(Stage::timing).detail;
    ASSERT_TRUE(verdict.timing);
    EXPECT_GT(verdict.timing->cases.at(0).slots_verified, 0);
    EXPECT_EQ(verdict.errors.size(), 3u);
  }
  EXPECT_GT(StreamingMemory::given_back, before);
}

TEST_F(OracleJudgesStreaming, ReportsWrongAnswers) {
  const auto wrong = judged("        return self.linear(x) * 1.01\n");
  EXPECT_EQ(wrong.at(Stage::correctness).reason, Reason::wrong_values);
  const auto lazy = judged(
      "        ModelNew.calls += 1\n        y = self.linear(x)\n"
      "        return y if ModelNew.calls < 20 else torch.zeros_like(y)\n");
  EXPECT_EQ(lazy.at(Stage::timing).reason, Reason::wrong_when_timed) << lazy.at(Stage::timing).detail;
}

TEST_F(OracleJudgesStreaming, ComparesASecondCallWhoseBitsDiffer) {
  const std::string counts = "        ModelNew.calls += 1\n        y = self.linear(x)\n";
  const auto near = judged(counts + "        return y if ModelNew.calls == 1 else y * (1 + 2**-22)\n");
  EXPECT_EQ(near.at(Stage::correctness).status, Status::passed) << near.at(Stage::correctness).detail;
  EXPECT_TRUE(near.run_to_run_differences);
  EXPECT_TRUE(near.faithful_correct);
  const auto far = judged(counts + "        return y if ModelNew.calls == 1 else y * 1.01\n");
  EXPECT_EQ(far.at(Stage::correctness).reason, Reason::wrong_values);
  EXPECT_NE(far.at(Stage::correctness).detail.find("the second call"), std::string::npos)
      << far.at(Stage::correctness).detail;
  const auto same = judged("        return self.linear(x)\n");
  EXPECT_FALSE(same.run_to_run_differences);
}

TEST_F(OracleJudgesStreaming, ReportsASecondCallThatEndsTheProcess) {
  const auto ended = judged(
      "        import os\n        ModelNew.calls += 1\n"
      "        if ModelNew.calls == 2: os._exit(3)\n        return self.linear(x)\n");
  EXPECT_EQ(ended.at(Stage::call).reason, Reason::exited) << ended.at(Stage::call).detail;
  EXPECT_FALSE(ended.faithful_correct);
}

TEST_F(OracleJudgesStreaming, ReportsWhatTheFirstCallDidWrongAndNotTheSecond) {
  // The second would end the process, and is not made.
  const auto wrong = judged(
      "        import os\n        ModelNew.calls += 1\n"
      "        if ModelNew.calls == 2: os._exit(3)\n        return self.linear(x) * 1.01\n");
  EXPECT_EQ(wrong.at(Stage::correctness).reason, Reason::wrong_values);
}

TEST_F(OracleJudgesStreaming, ReportsAnAnswerThatEndsItsProcess) {
  const auto ended = judged("        import os\n        os._exit(3)\n");
  EXPECT_EQ(ended.at(Stage::call).reason, Reason::exited) << ended.at(Stage::call).detail;
}

}  // namespace
}  // namespace ridgeline::judge
