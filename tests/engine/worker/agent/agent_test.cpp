// The agent with real threads, and a builder and judges that do as they are told.
#include "engine/worker/agent/agent.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>

namespace ridgeline::agent {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

/// Sources that contain "deadly" kill the judge; "deadly once" does so the first time only.
struct Judges {
  std::atomic<int> starts{0};
  std::atomic<bool> cannot_start{false};
  std::atomic<int> die_starting{0};  ///< how many die while they start
  std::atomic<int> deaths{0};
  std::atomic<int> prepared{0};
  std::atomic<int> expecting{0};  ///< modules
};

/// Sources that begin with "bad" do not compile; those that contain "slow" do once a judge has been told of
/// them.
class FakeBuilder : public Builder {
 public:
  explicit FakeBuilder(const std::atomic<int>& told) : prepared(told) {}
  BuildOutcome build(const protocol::Evaluate& request) override {
    ++builds;
    for (int i = 0; i < 5000 && request.candidate.source.find("slow") != std::string::npos && prepared == 0;
         ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    BuildOutcome outcome;
    outcome.compiler = "fake 1.0";
    outcome.log = "a warning";
    outcome.built = !request.candidate.source.starts_with("bad");
    outcome.artefact = "/artefact of " + request.candidate.source;
    if (!outcome.built) outcome.reason = Reason::compile_error;
    return outcome;
  }
  void expect_modules() override { ++expecting; }
  std::atomic<int> builds{0}, expecting{0};
  const std::atomic<int>& prepared;
};

class FakeJudgeConnection : public JudgeConnection {
 public:
  explicit FakeJudgeConnection(Judges& judges) : judges_(judges) {}
  protocol::Described start() override {
    if (judges_.cannot_start) throw MachineCannot("no LibTorch");
    if (judges_.die_starting > 0 && judges_.die_starting-- > 0)
      throw MachineCannot("the judge was lost: killed by signal 9");
    ++judges_.starts;
    protocol::Described described;
    described.torch = "2.11.0";
    return described;
  }
  protocol::FromJudge call(const protocol::ToJudge& request) override {
    if (const auto* check = std::get_if<protocol::CheckTask>(&request))
      return protocol::Checked{check->id, {{"reference runs", true, ""}}};
    if (const auto* prepare = std::get_if<protocol::Prepare>(&request)) {
      ++judges_.prepared;
      return protocol::Prepared{prepare->id};
    }
    if (const auto* expect = std::get_if<protocol::ExpectModules>(&request)) {
      ++judges_.expecting;
      return protocol::Prepared{expect->id};
    }
    const auto& judge = std::get<protocol::JudgeRequest>(request);
    const std::string& source = judge.candidate.source;
    const bool once = source.find("once") != std::string::npos;
    if (source.find("deadly") != std::string::npos && !(once && judges_.deaths > 0)) {
      ++judges_.deaths;
      throw MachineCannot("the judge was lost: killed by signal 11");
    }
    if (source.find("mixed up") != std::string::npos) return protocol::Judged{"another", {}};
    if (source.find("refused") != std::string::npos)
      return protocol::Failed{"", protocol::Failure::bad_request, "no such thing"};
    Verdict verdict;
    verdict.at(Stage::call).status = Status::passed;
    verdict.device = judge.artefact;
    verdict.isolation.level = judge.settings.isolation;
    return protocol::Judged{judge.id, verdict};
  }
  void stop() override {}

 private:
  Judges& judges_;
};

/// Runs the agent over `messages` until each has its answer.
struct Fixture {
  Judges judges;
  FakeBuilder builder{judges.prepared};
  AgentSettings settings{{2, {}, {}}, {}, {}, "standard", "Enable user namespaces.", {"cpp"}, {}, 0.001};

  std::map<std::string, protocol::FromWorker> answers_to(const std::vector<protocol::ToWorker>& messages,
                                                         std::size_t expected) {
    std::map<std::string, protocol::FromWorker> answers;
    std::size_t count = 0;
    Agent* running = nullptr;
    const auto answer = [&](protocol::FromWorker message) {
      std::string id;
      if (const auto* evaluated = std::get_if<protocol::Evaluated>(&message)) id = evaluated->id;
      if (const auto* failed = std::get_if<protocol::Failed>(&message)) id = failed->id;
      if (const auto* checked = std::get_if<protocol::Checked>(&message)) id = checked->id;
      answers.insert_or_assign(id, std::move(message));
      if (++count == expected) running->end();
    };
    Agent agent(
        settings, builder,
        [&](const JudgeOfDevice&) { return std::make_unique<FakeJudgeConnection>(judges); }, answer,
        [](const std::string&) {});
    running = &agent;
    agent.boot();
    for (const auto& message : messages) agent.post(message);
    agent.run();
    EXPECT_EQ(agent.in_flight(), 0u);
    return answers;
  }
};

protocol::Evaluate scale_request(const std::string& id, const std::string& source) {
  protocol::Evaluate evaluate;
  evaluate.id = id;
  evaluate.task.name = "scale";
  evaluate.task.hash = "hash of scale";
  evaluate.candidate = make_candidate(Language::cpp, source);
  return evaluate;
}

const Verdict& verdict_in(const std::map<std::string, protocol::FromWorker>& answers, const std::string& id) {
  return std::get<protocol::Evaluated>(answers.at(id)).verdict;
}

TEST(Agent, BuildsJudgesAndComposesTheVerdict) {
  Fixture fixture;
  const auto answers = fixture.answers_to({scale_request("a", "good")}, 1);
  const auto& verdict = verdict_in(answers, "a");
  EXPECT_EQ(verdict.at(Stage::build).status, Status::passed);
  EXPECT_EQ(verdict.at(Stage::call).status, Status::passed);
  EXPECT_EQ(verdict.build_log, "a warning");
  EXPECT_EQ(verdict.compiler, "fake 1.0");
  EXPECT_EQ(verdict.device, "/artefact of good");
  EXPECT_EQ(verdict.task, "hash of scale");
  EXPECT_EQ(verdict.candidate, make_candidate(Language::cpp, "good").hash);
  EXPECT_GT(verdict.seconds, 0);
}

TEST(Agent, AJudgePreparesWhileACandidateIsBuilt) {
  Fixture fixture;
  const auto answers = fixture.answers_to({scale_request("a", "slow"), scale_request("b", "bad slow")}, 2);
  EXPECT_GE(fixture.judges.prepared, 1);
  EXPECT_EQ(verdict_in(answers, "a").at(Stage::call).status, Status::passed);
}

TEST(Agent, AnnouncesModulesToJudgesOfTheirBackendAndToASpareBuilder) {
  Fixture fixture;
  // Built once the judge is told of it, which comes after what it is to expect.
  const std::vector<protocol::ToWorker> messages = {
      protocol::ExpectModules{"", "cuda"}, protocol::ExpectModules{"", "cpu"}, scale_request("a", "slow")};
  fixture.settings.cores.builders = 3;
  EXPECT_EQ(verdict_in(fixture.answers_to(messages, 1), "a").at(Stage::call).status, Status::passed);
  EXPECT_EQ(fixture.judges.expecting, 1) << "there is no GPU";
  EXPECT_EQ(fixture.builder.expecting, 2);
  fixture.settings.cores.builders = 2;
  fixture.answers_to(messages, 1);
  EXPECT_EQ(fixture.builder.expecting, 2);
}

TEST(Agent, AFailedBuildIsAVerdictWithoutAJudge) {
  Fixture fixture;
  const auto answers = fixture.answers_to({scale_request("a", "bad deadly"), scale_request("b", "good")}, 2);
  EXPECT_EQ(verdict_in(answers, "a").at(Stage::build).reason, Reason::compile_error);
  EXPECT_EQ(verdict_in(answers, "a").at(Stage::call).status, Status::not_reached);
  EXPECT_EQ(verdict_in(answers, "b").at(Stage::call).status, Status::passed);
  EXPECT_EQ(fixture.judges.deaths, 0);
}

TEST(Agent, AJudgeThatDiesTwiceIsThatCandidatesVerdictAndTheOthersGoOn) {
  Fixture fixture;
  const auto answers = fixture.answers_to(
      {scale_request("a", "deadly"), scale_request("b", "good"), scale_request("c", "good too")}, 3);
  const auto& lost = verdict_in(answers, "a");
  EXPECT_EQ(lost.at(Stage::build).status, Status::passed);
  EXPECT_EQ(lost.at(Stage::call).status, Status::unavailable);
  EXPECT_EQ(lost.at(Stage::call).reason, Reason::judge_failed);
  EXPECT_THAT(lost.at(Stage::call).detail, HasSubstr("signal 11"));
  EXPECT_EQ(verdict_in(answers, "b").at(Stage::call).status, Status::passed);
  EXPECT_EQ(verdict_in(answers, "c").at(Stage::call).status, Status::passed);
  EXPECT_EQ(fixture.judges.deaths, 2);
}

TEST(Agent, AJudgeThatDiesOnceIsNotTheCandidatesFault) {
  Fixture fixture;
  const auto answers = fixture.answers_to({scale_request("a", "deadly once")}, 1);
  EXPECT_EQ(verdict_in(answers, "a").at(Stage::call).status, Status::passed);
  EXPECT_EQ(fixture.judges.starts, 2);
}

TEST(Agent, TreatsAnAnswerToAnotherRequestAsABrokenJudge) {
  Fixture fixture;
  const auto answers = fixture.answers_to({scale_request("a", "mixed up")}, 1);
  EXPECT_EQ(verdict_in(answers, "a").at(Stage::call).reason, Reason::judge_failed);
}

TEST(Agent, PassesOnARefusalOfTheJudge) {
  Fixture fixture;
  const auto answers = fixture.answers_to({scale_request("a", "refused")}, 1);
  EXPECT_EQ(std::get<protocol::Failed>(answers.at("a")).message, "no such thing");
}

TEST(Agent, WithoutAJudgeEveryAnswerSaysWhy) {
  Fixture fixture;
  fixture.judges.cannot_start = true;
  const auto answers = fixture.answers_to({scale_request("a", "good"), protocol::CheckTask{"c", {}}}, 2);
  const auto& verdict = verdict_in(answers, "a");
  EXPECT_THAT(verdict.at(Stage::call).detail + verdict.at(Stage::build).detail, HasSubstr("no LibTorch"));
  EXPECT_THAT(std::get<protocol::Failed>(answers.at("c")).message, HasSubstr("no LibTorch"));
}

TEST(Agent, StartsAJudgeOnceMoreThatDiesWhileItStarts) {
  Fixture fixture;
  fixture.judges.die_starting = 1;
  std::variant<protocol::Described, std::string> told;
  {
    Agent agent(
        fixture.settings, fixture.builder,
        [&](const JudgeOfDevice&) { return std::make_unique<FakeJudgeConnection>(fixture.judges); },
        [](const protocol::FromWorker&) {}, [](const std::string&) {});
    told = agent.boot();
  }
  ASSERT_TRUE(std::holds_alternative<protocol::Described>(told));
  EXPECT_EQ(std::get<protocol::Described>(told).torch, "2.11.0");
  fixture.judges.die_starting = 2;
  Agent agent(
      fixture.settings, fixture.builder,
      [&](const JudgeOfDevice&) { return std::make_unique<FakeJudgeConnection>(fixture.judges); },
      [](const protocol::FromWorker&) {}, [](const std::string&) {});
  EXPECT_THAT(std::get<std::string>(agent.boot()), HasSubstr("signal 9"));
}

TEST(Agent, RefusesTorchCompileWithoutAModule) {
  Fixture fixture;
  auto native = scale_request("a", "good");
  native.settings.torch_compile = CompileMode::standard;
  const auto answers = fixture.answers_to({native}, 1);
  const auto& failed = std::get<protocol::Failed>(answers.at("a"));
  EXPECT_EQ(failed.kind, protocol::Failure::bad_request);
  EXPECT_THAT(failed.message, HasSubstr("that have a module"));
  EXPECT_EQ(fixture.builder.builds, 0);
}

TEST(Agent, LessIsolationThanAskedIsRefusedWithTheFixAndTheSwitch) {
  Fixture fixture;
  auto strict = scale_request("a", "good");
  strict.settings.isolation = "strict";
  auto nonsense = scale_request("b", "good");
  nonsense.settings.isolation = "heavy";
  const auto answers = fixture.answers_to({strict, nonsense}, 2);
  const auto& failed = std::get<protocol::Failed>(answers.at("a"));
  EXPECT_EQ(failed.kind, protocol::Failure::machine_cannot);
  EXPECT_THAT(failed.message, HasSubstr("Enable user namespaces."));
  EXPECT_THAT(failed.message, HasSubstr("set worker.isolation to 'standard'"));
  EXPECT_EQ(std::get<protocol::Failed>(answers.at("b")).kind, protocol::Failure::bad_request);
  EXPECT_EQ(fixture.builder.builds, 0);
}

TEST(Agent, UsesTheStrongestIsolationUnlessNoneIsRequested) {
  Fixture fixture;
  fixture.settings.isolation_offered = "strict";
  auto none = scale_request("b", "good too");
  none.settings.isolation = "none";
  const auto answers = fixture.answers_to({scale_request("a", "good"), none}, 2);
  EXPECT_EQ(verdict_in(answers, "a").isolation.level, "strict");
  EXPECT_EQ(verdict_in(answers, "b").isolation.level, "none");
}

TEST(Agent, AMissingLanguageIsAVerdict) {
  Fixture fixture;
  auto cuda = scale_request("a", "good");
  cuda.candidate = make_candidate(Language::cuda, "good");
  EXPECT_EQ(verdict_in(fixture.answers_to({cuda}, 1), "a").at(Stage::build).reason, Reason::unsupported);
  fixture.settings.languages.clear();
  fixture.settings.compiler_missing = {{"cpp", "install g++"}};
  const auto answers = fixture.answers_to({scale_request("b", "good")}, 1);
  EXPECT_EQ(verdict_in(answers, "b").at(Stage::build).reason, Reason::compiler_missing);
  EXPECT_EQ(verdict_in(answers, "b").at(Stage::build).detail, "install g++");
}

TEST(Agent, AnswersManyRequestsOnceEachInAnyOrder) {
  Fixture fixture;
  std::vector<protocol::ToWorker> messages;
  for (int i = 0; i < 200; ++i) {
    const std::string source = i % 7 == 0 ? "bad " : "good ";
    messages.push_back(scale_request(std::to_string(i), source + std::to_string(i % 50)));
  }
  const auto answers = fixture.answers_to(messages, 200);
  ASSERT_EQ(answers.size(), 200u);
  for (const auto& [id, answer] : answers)
    EXPECT_EQ(std::get<protocol::Evaluated>(answer).verdict.compiled(), std::stoi(id) % 7 != 0) << id;
}

TEST(Agent, RefusesASecondRequestWithAnIdInFlight) {
  Fixture fixture;
  int refused = 0;
  std::size_t answered = 0;
  Agent* running = nullptr;
  Agent agent(
      fixture.settings, fixture.builder,
      [&](const JudgeOfDevice&) { return std::make_unique<FakeJudgeConnection>(fixture.judges); },
      [&](const protocol::FromWorker& message) {
        refused += std::holds_alternative<protocol::Failed>(message);
        if (++answered == 2) running->end();
      },
      [](const std::string&) {});
  running = &agent;
  agent.boot();
  agent.post(scale_request("a", "good"));
  agent.post(scale_request("a", "good"));
  agent.run();
  EXPECT_EQ(refused, 1);
}

TEST(Agent, PassesACheckToTheJudge) {
  Fixture fixture;
  const auto answers = fixture.answers_to({protocol::CheckTask{"c", {}}}, 1);
  EXPECT_TRUE(std::get<protocol::Checked>(answers.at("c")).items.at(0).passed);
}

TEST(Agent, QuitEndsItAlthoughRequestsAreOpen) {
  Fixture fixture;
  Agent agent(
      fixture.settings, fixture.builder,
      [&](const JudgeOfDevice&) { return std::make_unique<FakeJudgeConnection>(fixture.judges); },
      [](const protocol::FromWorker&) {}, [](const std::string&) {});
  agent.boot();
  for (int i = 0; i < 20; ++i) agent.post(scale_request(std::to_string(i), "good"));
  agent.post(protocol::Quit{});
  agent.run();  // returns
  SUCCEED();
}

}  // namespace
}  // namespace ridgeline::agent
