#include "engine/worker/agent/judge_process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <thread>

#include "tests/engine/worker/agent/fake_judge.hpp"

namespace ridgeline::agent {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

class JudgeProcessTest : public testing::Test {
 protected:
  JudgeProcessTest() { ::signal(SIGPIPE, SIG_IGN); }
  JudgeProcess judge(const std::string& how, double answer_limit = 600) {
    JudgeCommand command{{fake_judge(folder, how)}};
    command.answer_limit_seconds = answer_limit;
    return JudgeProcess(command);
  }
  TemporaryFolder folder;
  protocol::JudgeRequest request{"j1", {}, "/artefact", make_candidate(Language::cpp, "x"), {}};
};

TEST_F(JudgeProcessTest, DescribesItselfAndAnswers) {
  auto process = judge("good");
  EXPECT_EQ(process.start().backends.at(0), "cpu");
  for (const char* id : {"a", "b", "c"}) {
    request.id = id;
    const auto answer = process.call(request);
    EXPECT_EQ(std::get<protocol::Judged>(answer).id, id);
    EXPECT_EQ(std::get<protocol::Judged>(answer).verdict.device, "/artefact");
  }
}

TEST_F(JudgeProcessTest, InheritsNoKey) {
  ::setenv("OPENAI_API_KEY", "sk-very-secret", 1);
  auto process = judge("good");
  const auto described = process.start();
  ::unsetenv("OPENAI_API_KEY");
  EXPECT_THAT(described.shortfalls, Not(testing::IsEmpty())) << "PATH at least";
  EXPECT_THAT(described.shortfalls, testing::Each(Not(HasSubstr("secret"))));
}

TEST_F(JudgeProcessTest, SeesOnlyTheGpuThatItIsFor) {
  ::setenv("CUDA_VISIBLE_DEVICES", "0,1", 1);
  JudgeCommand command{{fake_judge(folder, "good")}};
  const auto inherited = JudgeProcess(command).start();
  command.visible_gpu = "GPU-1";
  const auto bound = JudgeProcess(command).start();
  ::unsetenv("CUDA_VISIBLE_DEVICES");
  EXPECT_THAT(inherited.shortfalls, testing::Contains("CUDA_VISIBLE_DEVICES=0,1"));
  EXPECT_THAT(bound.shortfalls, testing::Contains("CUDA_VISIBLE_DEVICES=GPU-1"));
  EXPECT_THAT(bound.shortfalls, Not(testing::Contains("CUDA_VISIBLE_DEVICES=0,1")));
}

TEST_F(JudgeProcessTest, ReportsHowAJudgeDiedAndStartsANewOne) {
  auto process = judge("dies");
  const auto first = process.start().torch;
  EXPECT_THAT([&] { process.call(request); }, ThrowsMessage<MachineCannot>(HasSubstr("exit status 3")));
  EXPECT_THROW(process.call(request), MachineCannot) << "it must be started again";
  EXPECT_NE(process.start().torch, first) << "another process";
}

TEST_F(JudgeProcessTest, ShowsOutputThatIsNoFrame) {
  auto process = judge("garbage");
  process.start();
  EXPECT_THAT([&] { process.call(request); }, ThrowsMessage<MachineCannot>(HasSubstr("said the library")));
}

TEST_F(JudgeProcessTest, LimitsSilence) {
  auto process = judge("silent", 0.05);
  process.start();
  EXPECT_THAT([&] { process.call(request); }, ThrowsMessage<MachineCannot>(HasSubstr("no answer within")));
}

TEST_F(JudgeProcessTest, StopEndsAWaitingCall) {
  auto process = judge("silent");
  process.start();
  std::thread stopper([&] { process.stop(); });
  EXPECT_THROW(process.call(request), MachineCannot);
  stopper.join();
  EXPECT_THROW(process.start(), MachineCannot) << "stopped for good";
}

TEST_F(JudgeProcessTest, DiesWithTheThreadThatStartedIt) {
  auto process = judge("good");
  std::thread([&] { process.start(); }).join();
  EXPECT_THAT([&] { process.call(request); }, ThrowsMessage<MachineCannot>(HasSubstr("lost")));
}

TEST_F(JudgeProcessTest, NamesAMissingProgram) {
  JudgeProcess process(JudgeCommand{{"/no/such/judge"}});
  EXPECT_THAT([&] { process.start(); },
              ThrowsMessage<MachineCannot>(AllOf(HasSubstr("/no/such/judge"), HasSubstr("./dev build"))));
}

}  // namespace
}  // namespace ridgeline::agent
