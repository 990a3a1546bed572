// The pool with real child processes: this test program, playing workers that behave and that do not.
#include "engine/evaluation/worker_pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <cstdlib>
#include <set>

#include "engine/evaluation/process_link.hpp"
#include "tests/engine/evaluation/fake_worker.hpp"

namespace ridgeline::evaluation {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class WorkerPoolTest : public testing::Test {
 protected:
  WorkerPoolTest() {
    settings.dispatch.first_delay = 0.001;
    settings.dispatch.starts = 3;
    task.name = "scale";
    task.hash = "hash of scale";
  }

  /// Worker number i behaves as how[i % size].
  void make(std::vector<std::string> how) {
    std::vector<StartLink> starts;
    for (const auto& one : how) starts.push_back(process_links(io, {{fake_worker(folder, one)}, {}}));
    settings.workers = static_cast<int>(how.size());
    pool.emplace(
        io, settings,
        [starts](int worker, LinkEvents events) {
          return starts[static_cast<std::size_t>(worker)](worker, std::move(events));
        },
        [this](const std::string& line) { lines += line + "\n"; });
  }

  /// The problem that `start` reports; "" for none.
  std::string start() {
    std::optional<std::string> problem;
    pool->start([&](std::exception_ptr error) {
      problem = "";
      try {
        if (error) std::rethrow_exception(error);
      } catch (const MachineCannot& cannot) {
        problem = cannot.what();
      }
    });
    run_until([&] { return problem.has_value(); });
    return *problem;
  }

  void ask(const std::string& source) {
    pool->evaluate({borrowed(task), make_candidate(Language::cpp, source), {}},
                   [this, source](Verdict verdict) {
                     order.push_back(source);
                     verdicts[source].push_back(std::move(verdict));
                   });
  }
  const StageResult& build_of(const std::string& source) {
    return verdicts.at(source).at(0).at(Stage::build);
  }

  template <class Condition>
  void run_until(Condition condition) {
    io.restart();  // it stops by itself whenever every worker is down
    while (!condition() && io.run_one() > 0) {
    }
  }
  void run_until_answered(std::size_t count) {
    run_until([&] { return order.size() >= count; });
    ASSERT_EQ(order.size(), count);
  }

  TemporaryFolder folder;
  boost::asio::io_context io;
  PoolSettings settings;
  Task task;
  std::optional<WorkerPool> pool;
  std::map<std::string, std::vector<Verdict>> verdicts;
  std::vector<std::string> order;
  std::string lines;
};

TEST_F(WorkerPoolTest, EvaluatesAndNeverAnswersInsideTheCall) {
  make({"good"});
  EXPECT_EQ(start(), "");
  ASSERT_EQ(pool->hellos().size(), 1u);
  EXPECT_EQ(pool->hellos().at(0).host, "fake");
  for (int i = 0; i < 20; ++i) ask(std::to_string(i));
  EXPECT_TRUE(order.empty());
  run_until_answered(20);
  for (const auto& [source, all] : verdicts) {
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].candidate, make_candidate(Language::cpp, source).hash);
  }
}

TEST_F(WorkerPoolTest, AnnouncesModulesToAWorkerBeforeItsFirstRequest) {
  for (const std::string backend : {"", "cuda"}) {
    settings.modules_on = backend;
    make({"expects"});
    const auto name = "for '" + backend + "'";
    ask(name);
    EXPECT_EQ(start(), "");
    run_until([&] { return verdicts.contains(name); });
    EXPECT_EQ(verdicts.at(name).at(0).compiler, backend.empty() ? "" : "modules on cuda");
  }
}

TEST_F(WorkerPoolTest, RequestsBeforeTheHelloWait) {
  make({"good"});
  ask("early");
  EXPECT_EQ(start(), "");
  run_until_answered(1);
  EXPECT_EQ(build_of("early").status, Status::passed);
}

TEST_F(WorkerPoolTest, DropsUnwantedRequestsFromTheQueue) {
  make({"good"});
  bool wanted = true;
  pool->evaluate({borrowed(task), make_candidate(Language::cpp, "given up"), {}, [&] { return wanted; }},
                 [this](const Verdict&) { order.emplace_back("given up"); });
  ask("next");
  wanted = false;
  EXPECT_EQ(start(), "");
  run_until_answered(1);
  ask("last");
  run_until_answered(2);
  EXPECT_EQ(order, (std::vector<std::string>{"next", "last"}));
}

TEST_F(WorkerPoolTest, DoesNotRetryAnUnwantedRequestOfALostWorker) {
  make({"dies-once"});
  EXPECT_EQ(start(), "");
  bool wanted = true;
  pool->evaluate({borrowed(task), make_candidate(Language::cpp, "given up"), {}, [&] { return wanted; }},
                 [this](const Verdict&) { order.emplace_back("given up"); });
  wanted = false;  // it is with the worker already
  run_until([this] { return lines.find("ended") != std::string::npos; });
  ask("next");
  run_until_answered(1);
  EXPECT_EQ(order, std::vector<std::string>{"next"});
}

TEST_F(WorkerPoolTest, MatchesAnswersOutOfOrderToTheirRequests) {
  make({"backwards"});
  start();
  for (const char* source : {"a", "b", "c"}) ask(source);
  run_until_answered(3);
  EXPECT_THAT(order, ElementsAre("c", "b", "a"));
  EXPECT_EQ(verdicts.at("a").at(0).candidate, make_candidate(Language::cpp, "a").hash);
}

TEST_F(WorkerPoolTest, TheSameCandidateTwiceAtOnceGetsTwoAnswers) {
  make({"good"});
  start();
  ask("same");
  ask("same");
  run_until_answered(2);
  EXPECT_EQ(verdicts.at("same").size(), 2u);
}

TEST_F(WorkerPoolTest, RetriesTheRequestsOfAWorkerThatDiesOnce) {
  make({"dies-once"});
  start();
  ask("a");
  ask("b");
  run_until_answered(2);
  EXPECT_EQ(build_of("a").status, Status::passed);
  EXPECT_EQ(build_of("b").status, Status::passed);
  EXPECT_THAT(lines, AllOf(HasSubstr("exit status 3"), HasSubstr("out of memory")));
}

TEST_F(WorkerPoolTest, ARequestLostTwiceIsWorkerLostWithTheLastOfStderr) {
  make({"dies"});
  start();
  ask("a");
  run_until_answered(1);
  EXPECT_EQ(build_of("a").status, Status::unavailable);
  EXPECT_EQ(build_of("a").reason, Reason::worker_lost);
  EXPECT_THAT(build_of("a").detail,
              AllOf(HasSubstr("exit status 3"), HasSubstr("out of memory, says the kernel")));
}

TEST_F(WorkerPoolTest, AfterEveryWorkerIsDownRequestsStillEnd) {
  make({"dies"});
  start();
  for (int i = 0; i < 12; ++i) ask(std::to_string(i));
  run_until_answered(12);
  ask("late");
  EXPECT_EQ(verdicts.count("late"), 0u);
  run_until_answered(13);
  EXPECT_EQ(build_of("late").reason, Reason::worker_lost);
}

TEST_F(WorkerPoolTest, AnotherWorkerTakesOver) {
  make({"dies", "good"});
  start();
  for (int i = 0; i < 10; ++i) ask(std::to_string(i));
  run_until_answered(10);
  for (const auto& [source, all] : verdicts)
    EXPECT_EQ(all.at(0).at(Stage::build).status, Status::passed) << source;
}

TEST_F(WorkerPoolTest, AStalledWorkerCountsAsLost) {
  settings.silence_limit_seconds = 0.05;
  make({"stalls"});
  start();
  ask("a");
  run_until_answered(1);
  EXPECT_EQ(build_of("a").reason, Reason::worker_lost);
  EXPECT_THAT(build_of("a").detail, HasSubstr("silent"));
}

TEST_F(WorkerPoolTest, AWorkerThatWritesGarbageCountsAsLostAndItIsShown) {
  make({"garbage"});
  start();
  ask("a");
  run_until_answered(1);
  EXPECT_EQ(build_of("a").reason, Reason::worker_lost);
  EXPECT_THAT(build_of("a").detail, HasSubstr("terminate called"));
}

TEST_F(WorkerPoolTest, RejectsAVerdictOfAnotherCandidate) {
  make({"swaps"});
  start();
  ask("a");
  run_until_answered(1);
  EXPECT_EQ(verdicts.at("a").at(0).at(Stage::call).reason, Reason::judge_failed);
  EXPECT_EQ(verdicts.at("a").at(0).candidate, make_candidate(Language::cpp, "a").hash);
}

TEST_F(WorkerPoolTest, MakesAWorkersRefusalAVerdict) {
  make({"cannot"});
  start();
  ask("a");
  run_until_answered(1);
  EXPECT_EQ(build_of("a").reason, Reason::unsupported);
  EXPECT_EQ(build_of("a").detail, "too little isolation");
}

TEST_F(WorkerPoolTest, AGreetingBeforeTheHelloIsShown) {
  make({"greeting"});
  EXPECT_THAT(start(), AllOf(HasSubstr("Welcome to node17!"), HasSubstr("greeting")));
}

TEST_F(WorkerPoolTest, ANewerWorkerIsRefusedAndNotStartedAgain) {
  make({"newer"});
  EXPECT_THAT(start(), HasSubstr("the same version of Ridgeline"));
  ask("a");
  run_until_answered(1);
  EXPECT_EQ(build_of("a").reason, Reason::worker_lost);
}

TEST_F(WorkerPoolTest, RefusesAWorkerWithoutTheLanguageBeforeAnythingIsSpent) {
  settings.requirements = {{"cpp"}, "none"};
  make({"poor"});
  EXPECT_THAT(start(), HasSubstr("install g++"));
}

TEST_F(WorkerPoolTest, RefusesTooLittleIsolationAndSaysHowToFixIt) {
  settings.requirements = {{}, "standard"};
  make({"poor"});
  EXPECT_THAT(start(), AllOf(HasSubstr("a newer kernel"), HasSubstr("worker.isolation=none")));
}

TEST_F(WorkerPoolTest, ReportsARefusalOnceWhileTheStartIsAwaited) {
  settings.requirements = {{"cpp"}, "none"};
  make({"poor"});
  EXPECT_THAT(start(), HasSubstr("install g++"));
  EXPECT_THAT(lines, Not(HasSubstr("install g++"))) << "whoever started it says so";
}

TEST_F(WorkerPoolTest, AWorkerThatCannotStartSaysWhy) {
  make({"fails"});
  EXPECT_THAT(start(), AllOf(HasSubstr("could not be started"), HasSubstr("out of memory")));
}

TEST_F(WorkerPoolTest, AWorkerThatDiesWhileItStartsIsStartedOnceMore) {
  make({"fails-once"});
  EXPECT_EQ(start(), "");
  EXPECT_THAT(lines, HasSubstr("out of memory"));
  ask("a");
  run_until_answered(1);
  EXPECT_EQ(build_of("a").status, Status::passed);
}

TEST_F(WorkerPoolTest, AWorkerThatNeverSaysHelloHasALimit) {
  settings.hello_limit_seconds = 0.05;
  make({"mute"});
  EXPECT_THAT(start(), HasSubstr("did not say hello"));
}

TEST_F(WorkerPoolTest, NamesAMissingProgram) {
  pool.emplace(io, settings, process_links(io, {{"no-such-launcher", "--flag"}, {}}), nullptr);
  EXPECT_THAT(start(), AllOf(HasSubstr("no-such-launcher"), HasSubstr("worker.launcher")));
}

TEST_F(WorkerPoolTest, ATaskIsCheckedByAWorker) {
  make({"good"});
  start();
  std::optional<CheckOutcome> outcome;
  pool->check(borrowed(task), [&](CheckOutcome told) { outcome = std::move(told); });
  run_until([&] { return outcome.has_value(); });
  EXPECT_EQ(std::get<protocol::Checked>(*outcome).items.at(0).name, "null test");
}

TEST_F(WorkerPoolTest, NoKeyReachesAWorker) {
  ::setenv("OPENAI_API_KEY", "sk-very-secret", 1);
  make({"good"});
  start();
  ::unsetenv("OPENAI_API_KEY");
  ask("a");
  run_until_answered(1);
  const std::string& environment = verdicts.at("a").at(0).build_log;
  EXPECT_THAT(environment, HasSubstr("PATH="));
  EXPECT_THAT(environment, AllOf(Not(HasSubstr("OPENAI")), Not(HasSubstr("secret"))));
}

TEST_F(WorkerPoolTest, StoppingEndsTheWorkersAndAnswersNothingMore) {
  make({"stalls", "good"});
  start();
  for (int i = 0; i < 4; ++i) ask(std::to_string(i));
  pool->stop();
  const std::size_t answered = order.size();
  io.run();  // returns: nothing keeps it busy
  EXPECT_EQ(order.size(), answered);
}

}  // namespace
}  // namespace ridgeline::evaluation
