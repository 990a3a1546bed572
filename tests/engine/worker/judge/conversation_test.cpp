// The judge's messages: described, checked, refused, quit.
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>

#include "tests/engine/worker/judge/builds.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {
namespace {

using namespace protocol;

TEST(Conversation, DescribesItself) {
  JudgeProgram judge;
  const auto answer = judge.ask(Describe{"a"});
  const auto* described = std::get_if<Described>(&answer);
  ASSERT_TRUE(described);
  EXPECT_EQ(described->id, "a");
  EXPECT_FALSE(described->torch.empty());
  EXPECT_EQ(described->backends, std::vector<std::string>{"cpu"});
  ASSERT_FALSE(described->devices.empty());
  EXPECT_EQ(described->devices.front().backend, "cpu");
  for (std::size_t i = 1; i < described->devices.size(); ++i)  // a machine with GPUs
    EXPECT_EQ(described->devices[i].backend, "cuda");
  EXPECT_EQ(described->counters.readable, described->counters.why_not.empty());
}

TEST(Conversation, ChecksATask) {
  JudgeProgram judge;
  const auto answer = judge.ask(CheckTask{"b", testcase_task("axpy")});
  const auto* checked = std::get_if<Checked>(&answer);
  ASSERT_TRUE(checked);
  ASSERT_FALSE(checked->items.empty());
  for (const auto& item : checked->items) EXPECT_TRUE(item.passed) << item.name << ": " << item.message;
}

TEST(Conversation, AnswersAPreparationThatFailsToo) {
  JudgeProgram judge;
  auto broken = testcase_task("axpy");
  broken.reference = "def reference(x, y, alpha: float):\n    return no_such_function(x)\n";
  for (const auto& task : {testcase_task("axpy"), broken})
    for (const auto language : {Language::cpp, Language::torch, Language::cuda}) {
      const auto answer = judge.ask(Prepare{"p", task, make_candidate(language, ""), {}});
      const auto* prepared = std::get_if<Prepared>(&answer);
      ASSERT_TRUE(prepared);
      EXPECT_EQ(prepared->id, "p");
    }
}

TEST(Conversation, AnswersThatModulesAreExpectedEvenIfNothingRunsThem) {
  JudgeProgram judge;
  const auto answer = judge.ask(ExpectModules{"m", "cpu"});
  const auto* prepared = std::get_if<Prepared>(&answer);
  ASSERT_TRUE(prepared);
  EXPECT_EQ(prepared->id, "m");
}

TEST(Conversation, ATaskWhoseReferenceDoesNotCompileIsRejected) {
  JudgeProgram judge;
  auto task = testcase_task("axpy");
  const auto library = build_library(
      task,
      "#include <cstdint>\nextern \"C\" void kernel_axpy(const float*, float*, int64_t, double, void*) {}\n");
  task.reference = "def reference(x, y, alpha: float):\n    return no_such_function(x)\n";
  const auto candidate = make_candidate(Language::cpp, "");
  const auto answer =
      judge.ask(ridgeline::protocol::JudgeRequest{"c", task, library.string(), candidate, {}});
  const auto* judged = std::get_if<Judged>(&answer);
  ASSERT_TRUE(judged);
  EXPECT_EQ(judged->verdict.at(Stage::call).reason, Reason::task_rejected);
  EXPECT_EQ(judged->verdict.at(Stage::call).status, Status::unavailable);
  EXPECT_FALSE(judged->verdict.faithful_correct);
}

TEST(Conversation, ACandidateThatWasNotJudgedToTheEndIsRightByNoRule) {
  JudgeProgram judge;
  auto task = testcase_task("axpy");
  // Right on the first case, and then the task itself fails.
  task.reference =
      "def reference(x, y, alpha: float):\n    if x.numel() > 5000:\n        raise RuntimeError('too long')\n"
      "    return y + alpha * x\n";
  const auto library = build_library(
      task,
      "#include <cstdint>\nextern \"C\" void kernel_axpy(const float* x, float* y, int64_t N, double alpha, "
      "void*) {\n  for (int64_t i = 0; i < N; ++i) y[i] += static_cast<float>(alpha) * x[i];\n}\n");
  const auto candidate = make_candidate(Language::cpp, "");
  const auto answer =
      judge.ask(ridgeline::protocol::JudgeRequest{"c", task, library.string(), candidate, {}});
  auto verdict = std::get<Judged>(answer).verdict;
  verdict.at(Stage::build).status = Status::passed;  // the agent's to say
  EXPECT_EQ(verdict.at(Stage::call).reason, Reason::task_rejected) << shown(verdict);
  EXPECT_EQ(verdict.at(Stage::correctness).status, Status::not_reached);
  EXPECT_FALSE(verdict.faithful_correct);
  EXPECT_FALSE(verdict.judged() || verdict.retryable());
}

TEST(Conversation, AnotherLanguageIsUnsupported) {
  JudgeProgram judge;
  const auto answer = judge.ask(ridgeline::protocol::JudgeRequest{
      "d", testcase_task("axpy"), "/nowhere.so", make_candidate(Language::cuda, ""), {}});
  const auto* judged = std::get_if<Judged>(&answer);
  ASSERT_TRUE(judged);
  EXPECT_EQ(judged->verdict.at(Stage::call).reason, Reason::unsupported);
}

TEST(Conversation, ABadRequestIsAnsweredAndTheNextOneServed) {
  JudgeProgram judge;
  EvaluateSettings settings;
  settings.isolation = "perfect";
  const auto answer = judge.ask(ridgeline::protocol::JudgeRequest{
      "e", testcase_task("axpy"), "/nowhere.so", make_candidate(Language::cpp, ""), settings});
  const auto* failed = std::get_if<Failed>(&answer);
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->kind, Failure::bad_request);
  EXPECT_TRUE(std::holds_alternative<Described>(judge.ask(Describe{"f"})));
  EXPECT_EQ(judge.quit(), 0);
}

TEST(Conversation, AnArtefactThatCannotBeCopiedIsTheMachinesFaultAndNoBadRequest) {
  JudgeProgram judge;
  const auto answer = judge.ask(ridgeline::protocol::JudgeRequest{
      "e", testcase_task("axpy"), "/nowhere.so", make_candidate(Language::cpp, ""), {}});
  const auto* failed = std::get_if<Failed>(&answer);
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->kind, Failure::judge_failed) << failed->message;
  EXPECT_NE(failed->message.find("copying the candidate /nowhere.so"), std::string::npos) << failed->message;
  EXPECT_TRUE(std::holds_alternative<Described>(judge.ask(Describe{"f"})));
}

TEST(Conversation, NothingOutlivesAKilledJudge) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  {
    JudgeProgram judge;
    judge.ask(Describe{"g"});  // a runner waits by now
    judge.kill();
  }
  int status = 0;
  while (::waitpid(-1, &status, 0) > 0) {  // returns only once every orphan is gone
  }
  EXPECT_EQ(errno, ECHILD);
}

TEST(Conversation, SettingsAreKept) {
  JudgeProgram judge;
  const std::string source =
      "#include <cstdint>\nextern \"C\" void kernel_axpy(const float* x, float* y, int64_t N, double alpha, "
      "void*) {\n"
      "  for (int64_t i = 0; i < N; ++i) y[i] += static_cast<float>(alpha) * x[i];\n}\n";
  const auto verdict = judge_source(judge, testcase_task("axpy"), source, {.time = false});
  EXPECT_TRUE(verdict.correct()) << shown(verdict);
  EXPECT_EQ(verdict.at(Stage::timing).status, Status::not_reached);
  EXPECT_FALSE(verdict.timing);
  EXPECT_FALSE(verdict.isolation.level.empty());
}

}  // namespace
}  // namespace ridgeline::judge
