// Each module of tests/testcases/modules/honest, in the idioms that answers use, through the real judge and
// an interpreter in its real sandbox: it passes, and nothing about it is suspected.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/worker/languages/python_toolchain.hpp"
#include "engine/worker/protocol/torch_job.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"
#include "tests/engine/worker/judge/linear_task.hpp"
#include "tests/places.hpp"

namespace ridgeline::judge {
namespace {

std::vector<std::string> honest_modules() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(places::sources() / "tests/testcases/modules/honest"))
    names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

std::string python_as_the_agent_says_it() {
  const auto found = std::get<languages::PythonToolchain>(languages::ask_python(RIDGELINE_PYTHON));
  return nlohmann::json{
      {"program", found.program}, {"folders", found.folders}, {"torch_version", found.torch_version}}
      .dump();
}

/// One judge for all: what an answer does to its interpreter is the next one's affair in no way.
class HonestModules : public testing::TestWithParam<std::string> {
 protected:
  static void SetUpTestSuite() {
    judge_ = std::make_unique<JudgeProgram>("cpu:0", python_as_the_agent_says_it());
  }
  static void TearDownTestSuite() {
    EXPECT_EQ(judge_->quit(), 0);
    judge_.reset();
  }
  static std::unique_ptr<JudgeProgram> judge_;
};
std::unique_ptr<JudgeProgram> HonestModules::judge_;

TEST_P(HonestModules, PassAndAreNotSuspected) {
  const auto source = read_text(places::sources() / "tests/testcases/modules/honest" / (GetParam() + ".py"));
  const auto task = linear_task();
  const auto job =
      std::filesystem::temp_directory_path() / ("honest-" + std::to_string(::getpid()) + ".json");
  std::ofstream(job) << protocol::to_json(protocol::torch_job(task, "ModelNew", source, "answer.py"));
  protocol::EvaluateSettings settings;
  settings.profile = false;
  const auto answer = judge_->ask(protocol::JudgeRequest{
      "1", task, job.string(), make_candidate(Language::torch, source), std::move(settings)});
  std::filesystem::remove(job);
  if (const auto* failed = std::get_if<protocol::Failed>(&answer)) FAIL() << failed->message;
  const auto& verdict = std::get<protocol::Judged>(answer).verdict;
  EXPECT_EQ(verdict.at(Stage::correctness).status, Status::passed) << shown(verdict);
  EXPECT_EQ(verdict.at(Stage::timing).status, Status::passed) << shown(verdict);
  EXPECT_FALSE(verdict.cheated) << shown(verdict);
  EXPECT_TRUE(verdict.suspicions().empty()) << shown(verdict);
}

INSTANTIATE_TEST_SUITE_P(All, HonestModules, testing::ValuesIn(honest_modules()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace ridgeline::judge
