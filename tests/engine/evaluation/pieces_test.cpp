// The small deciding parts: hello check, launcher, verdicts of what never took place, reward.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/reward.hpp"
#include "engine/evaluation/hello_check.hpp"
#include "engine/evaluation/launcher.hpp"
#include "engine/evaluation/no_verdict.hpp"

namespace ridgeline::evaluation {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

protocol::Hello able() {
  protocol::Hello hello;
  hello.host = "node17";
  hello.languages = {"cpp"};
  hello.isolation = {"standard", "Landlock 7; seccomp", {"strict wants user namespaces; fix: allow them"}};
  hello.shortfalls = {"no nvcc: install cuda-nvcc"};
  return hello;
}

TEST(HelloCheck, AcceptsAWorkerThatMeetsTheRequirements) {
  EXPECT_NO_THROW(check_hello(able(), {{"cpp"}, "standard"}));
  EXPECT_NO_THROW(check_hello(able(), {{}, "none"}));
}

TEST(HelloCheck, NamesTheFixesForAMissingLanguage) {
  EXPECT_THAT([] { check_hello(able(), {{"cuda"}, "none"}); },
              ThrowsMessage<MachineCannot>(
                  AllOf(HasSubstr("node17"), HasSubstr("'cuda'"), HasSubstr("install cuda-nvcc"))));
}

TEST(HelloCheck, NamesTheFixAndTheSwitchForTooLittleIsolation) {
  EXPECT_THAT([] { check_hello(able(), {{"cpp"}, "strict"}); },
              ThrowsMessage<MachineCannot>(
                  AllOf(HasSubstr("allow them"), HasSubstr("--set worker.isolation=standard"))));
}

TEST(HelloCheck, RefusesALevelThatDoesNotExistAsBadInput) {
  EXPECT_THROW(check_hello(able(), {{}, "heavy"}), BadInput);
}

TEST(Launcher, KeepsAWordThatNamesAWorker) {
  EXPECT_THAT(worker_command({"ssh", "node17", "ridgeline-worker"}, {"--builders", "2"}).words,
              ElementsAre("ssh", "node17", "ridgeline-worker", "--builders", "2"));
  EXPECT_THAT(worker_command({"docker", "run", "-i", "image", "/opt/bin/ridgeline-worker"}).words,
              ElementsAre("docker", "run", "-i", "image", "/opt/bin/ridgeline-worker"));
}

TEST(Launcher, AddsTheWorkerBesideThisProgramOtherwise) {
  const std::string beside = RIDGELINE_BIN_DIR "/ridgeline-worker";
  EXPECT_THAT(worker_command({}).words, ElementsAre(beside));
  EXPECT_THAT(worker_command({"srun", "-n1"}).words, ElementsAre("srun", "-n1", beside));
  EXPECT_EQ(worker_command({}).environment, protocol::EnvironmentFor::worker);
  EXPECT_EQ(worker_command({"srun"}).environment, protocol::EnvironmentFor::launcher);
}

TEST(Launcher, SplitsAsAShellWould) {
  EXPECT_THAT(split_command("srun -n1  --chdir='/a b' \"x \\\" y\" a\\ b ''"),
              ElementsAre("srun", "-n1", "--chdir=/a b", "x \" y", "a b", ""));
  EXPECT_THAT(split_command("  "), ElementsAre());
  // Inside double quotes a backslash quotes few characters, and inside single quotes none.
  EXPECT_THAT(split_command(R"(a\\b "a\\b" "c\d" "\$x" '\\' \e)"),
              ElementsAre("a\\b", "a\\b", "c\\d", "$x", "\\\\", "e"));
  EXPECT_THAT(split_command("on\\\ne \"tw\\\no\" end\\"), ElementsAre("one", "two", "end\\"));
  EXPECT_THROW(split_command("ssh 'host"), BadInput);
}

TEST(NoVerdict, MakesEveryFailureUnavailableWithItsCandidate) {
  Task task;
  task.hash = "t";
  const EvaluateRequest request{borrowed(task), make_candidate(Language::cpp, "x"), {}};
  const auto lost = worker_lost_verdict(request, "it died");
  EXPECT_EQ(lost.at(Stage::build).reason, Reason::worker_lost);
  EXPECT_EQ(lost.at(Stage::build).status, Status::unavailable);
  EXPECT_EQ(lost.at(Stage::build).detail, "it died");
  EXPECT_EQ(lost.candidate, request.candidate.hash);
  EXPECT_EQ(lost.task, "t");
  const auto judge = failed_verdict(request, {"1", protocol::Failure::judge_failed, "twice"});
  EXPECT_EQ(judge.at(Stage::call).reason, Reason::judge_failed);
  const auto cannot = failed_verdict(request, {"1", protocol::Failure::machine_cannot, "no"});
  EXPECT_EQ(cannot.at(Stage::build).reason, Reason::unsupported);
}

Verdict correct_verdict(double speedup) {
  Verdict verdict;
  for (const auto stage : {Stage::build, Stage::call, Stage::correctness, Stage::timing})
    verdict.at(stage).status = Status::passed;
  verdict.timing.emplace();
  verdict.timing->speedup = speedup;
  return verdict;
}

TEST(Reward, IsKevinsFormulaAndZeroForCheats) {
  EXPECT_DOUBLE_EQ(reward(correct_verdict(1.5)).value(), 1.8);
  auto doubtful = correct_verdict(300);
  doubtful.flags = {"case a: operations over peak (493.0x)"};
  EXPECT_DOUBLE_EQ(reward(doubtful).value(), 0.3);
  auto cheat = correct_verdict(100);
  cheat.cheated = true;
  EXPECT_EQ(reward(cheat), 0);
  auto wrong = correct_verdict(2);
  wrong.at(Stage::correctness).status = Status::failed;
  EXPECT_EQ(reward(wrong), 0);
}

TEST(Reward, IsMissingWhereTheMachineFailedToJudgeOrToTime) {
  Task task;
  const EvaluateRequest request{borrowed(task), make_candidate(Language::cpp, "x"), {}};
  EXPECT_EQ(reward(worker_lost_verdict(request, "it died")), std::nullopt);
  auto untimed = correct_verdict(0);
  untimed.timing.reset();
  untimed.at(Stage::timing) = {Status::unavailable, Reason::judge_failed, "never idle", 0};
  EXPECT_EQ(reward(untimed), std::nullopt) << "0.3 would say that it is as slow as can be";
  untimed.at(Stage::timing) = {};
  EXPECT_EQ(reward(untimed), 0.3) << "nobody asked for a time";
}

}  // namespace
}  // namespace ridgeline::evaluation
