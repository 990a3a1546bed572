// Batches take hours: a key that a command prints is replaced under way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/llm_clients/batch_rig.hpp"

namespace ridgeline::llm {
namespace {

using test::BatchRig;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// Commands that end when the test says so.
using Running = std::deque<std::function<void(CommandOutcome)>>;

class HandRunner : public CommandRunner {
 public:
  explicit HandRunner(Running& running) : running_(running) {}
  void run(const std::vector<std::string>&, std::function<void(CommandOutcome)> done) override {
    running_.push_back(std::move(done));
  }

 private:
  Running& running_;
};

struct PrintedKeys {
  Running running;
  BatchRig rig;

  PrintedKeys() { rig.commands = std::make_unique<HandRunner>(running); }

  void end(const CommandOutcome& outcome) {
    const auto done = std::move(running.front());
    running.pop_front();
    done(outcome);
    rig.clock.run();
  }
  std::string_view key_sent() { return find_header(rig.last().request.headers, "Authorization"); }
};

TEST(BatchKey, IsPrintedBeforeTheFirstExchangeAndThenReused) {
  PrintedKeys keys;
  keys.rig.ask("0");
  keys.rig.pass(2);
  EXPECT_THAT(keys.rig.wire, IsEmpty());
  ASSERT_THAT(keys.running, SizeIs(1));
  keys.end({.output = "printed-key-1", .problem = ""});
  EXPECT_EQ(keys.key_sent(), "Bearer printed-key-1");
  keys.rig.say(R"({"id":"file-1"})");
  EXPECT_EQ(keys.key_sent(), "Bearer printed-key-1");
  EXPECT_THAT(keys.running, IsEmpty());
}

TEST(BatchKey, IsPrintedAgainOnceAfterARefusal) {
  PrintedKeys keys;
  keys.rig.ask("0");
  keys.rig.pass(2);
  keys.end({.output = "printed-key-1", .problem = ""});
  keys.rig.say(R"({"id":"file-1"})");
  keys.rig.say(keys.rig.state("batch_1"));
  keys.rig.pass(5);
  keys.rig.say(401, R"({"error":{"message":"printed-key-1 has expired"}})");
  ASSERT_THAT(keys.running, SizeIs(1));
  EXPECT_THAT(keys.rig.results.all, IsEmpty());
  keys.end({.output = "printed-key-2", .problem = ""});
  EXPECT_THAT(keys.rig.url(), EndsWith("/batches/batch_1"));
  EXPECT_EQ(keys.key_sent(), "Bearer printed-key-2");
  keys.rig.say(401, R"({"error":{"message":"printed-key-2 is none"}})");
  ASSERT_THAT(keys.rig.results.all, SizeIs(1));
  EXPECT_EQ(keys.rig.results.all[0].fault, Fault::account);
  EXPECT_THAT(keys.rig.results.all[0].detail, AllOf(HasSubstr("is none"), Not(HasSubstr("printed-key"))));
}

TEST(BatchKey, AFailureOfTheCommandIsWaitedForLikeAnOutage) {
  PrintedKeys keys;
  keys.rig.ask("0");
  keys.rig.pass(2);
  keys.end({.output = "", .problem = "ended with 1"});
  EXPECT_THAT(keys.rig.results.all, IsEmpty());
  ASSERT_THAT(keys.rig.news, SizeIs(1));
  EXPECT_EQ(keys.rig.news[0].why, "key_command");
  keys.rig.pass(1);
  ASSERT_THAT(keys.running, SizeIs(1)) << "asked again";
  keys.end({.output = "printed-key-1", .problem = ""});
  EXPECT_THAT(keys.rig.wire, SizeIs(1));
}

TEST(BatchKey, NothingIsSentIfSendingStopsWhileTheCommandRuns) {
  PrintedKeys keys;
  keys.rig.ask("0");
  keys.rig.pass(2);
  ASSERT_THAT(keys.running, SizeIs(1));
  keys.rig.client->stop_sending();
  keys.end({.output = "printed-key-1", .problem = ""});
  EXPECT_THAT(keys.rig.wire, IsEmpty());
}

TEST(BatchKey, RunsOneCommandForAllThatWait) {
  Running running;
  test::Clock clock;
  test::ManualTimers timers(clock);
  Redactor redact("");
  BatchKey key(KeySource({"print-key"}, 0), std::make_unique<HandRunner>(running), "m", timers, redact);
  std::vector<std::string> told;
  const auto ready = [&](const std::optional<Failure>& none) {
    told.push_back(none ? none->detail : key.current());
  };
  key.ensure(ready);
  key.ensure(ready);
  ASSERT_THAT(running, SizeIs(1));
  running[0]({.output = "no key\nat all", .problem = ""});
  ASSERT_THAT(told, SizeIs(2));
  EXPECT_THAT(told[0], AllOf(HasSubstr("models.m.key_command: print-key"), Not(HasSubstr("at all"))));
  key.ensure(ready);
  ASSERT_THAT(running, SizeIs(2));
  running[1]({.output = "printed-key", .problem = ""});
  key.ensure(ready);
  EXPECT_THAT(told, ElementsAre(told[0], told[0], "printed-key", "printed-key"));
  EXPECT_EQ(redact("printed-key"), Redactor::kMark);
}

}  // namespace
}  // namespace ridgeline::llm
