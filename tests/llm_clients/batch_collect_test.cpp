// When a batch is sent, how long it is waited for, and which request is in which: without a clock or a
// socket.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "llm_clients/batch_pauses.hpp"
#include "llm_clients/batch_queue.hpp"
#include "llm_clients/open_batches.hpp"
#include "llm_clients/timers.hpp"

namespace ridgeline::llm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const TimePoint kStart{std::chrono::hours(1)};

TimePoint at(double seconds) {
  return kStart + clock_seconds(seconds);
}

TEST(BatchQueue, GoesWhenNoNewRequestCameForAWhile) {
  BatchQueue queue({.window = 2});
  EXPECT_EQ(queue.due(), std::nullopt);
  queue.add("a", 10, at(0));
  queue.add("b", 10, at(1.5));
  EXPECT_EQ(queue.due(), at(3.5));
  EXPECT_THAT(queue.take(at(3.4)), IsEmpty());
  EXPECT_THAT(queue.take(at(3.5)), ElementsAre("a", "b"));
  EXPECT_EQ(queue.due(), std::nullopt);
  EXPECT_THAT(queue.take(at(9)), IsEmpty());
}

TEST(BatchQueue, GoesAtOnceWhenItIsFullAndKeepsTheRest) {
  BatchQueue queue({.window = 2, .requests = 2});
  for (const char* id : {"a", "b", "c"}) queue.add(id, 1, at(1));
  EXPECT_EQ(queue.due(), at(1));
  EXPECT_THAT(queue.take(at(1)), ElementsAre("a", "b"));
  EXPECT_EQ(queue.due(), at(3));
  EXPECT_THAT(queue.take(at(3)), ElementsAre("c"));
}

TEST(BatchQueue, CountsBytesAndSendsATooLargeRequestAlone) {
  BatchQueue queue({.window = 2, .requests = 100, .bytes = 10});
  queue.add("small", 4, at(0));
  queue.add("large", 50, at(0));
  queue.add("last", 4, at(0));
  EXPECT_THAT(queue.take(at(0)), ElementsAre("small"));
  EXPECT_THAT(queue.take(at(0)), ElementsAre("large"));
  EXPECT_THAT(queue.take(at(0)), IsEmpty());
  EXPECT_THAT(queue.take(at(2)), ElementsAre("last"));
}

TEST(BatchQueue, SendsNothingWhileHeldAndCanBeEmptied) {
  BatchQueue queue({.window = 2});
  queue.add("a", 1, at(0));
  queue.hold_until(at(100));
  EXPECT_EQ(queue.due(), at(100));
  EXPECT_THAT(queue.take(at(99)), IsEmpty());
  EXPECT_THAT(queue.take_all(), ElementsAre("a"));
  EXPECT_EQ(queue.due(), std::nullopt);
}

TEST(PollPauses, GrowFromTheFirstToTheLongest) {
  PollPauses pauses(5, 300);
  EXPECT_DOUBLE_EQ(pauses.next(), 5);
  EXPECT_DOUBLE_EQ(pauses.next(), 7.5);
  double all = 0;
  double last = 0;
  for (int i = 0; i < 20; ++i) all += last = pauses.next();
  EXPECT_DOUBLE_EQ(last, 300);
  EXPECT_LT(all, 20 * 300);
}

Failure down(std::optional<double> wait = {}) {
  Failure failure;
  failure.status = LlmStatus::overloaded;
  failure.blame = Blame::endpoint;
  failure.wait_s = wait;
  return failure;
}

double pause_of(const RetryDecision& decision) {
  const auto* retry = std::get_if<RetryIn>(&decision);
  return retry ? retry->seconds : -1;
}

TEST(BatchPatience, PausesDoubleHoweverManyBatchesFail) {
  Model model;
  model.retries.base = 1;
  model.patience = {.seconds = 100, .longest_pause = 30};
  BatchPatience patience(model);
  EXPECT_DOUBLE_EQ(pause_of(patience.failed(at(0), down(), 1)), 1);
  EXPECT_DOUBLE_EQ(pause_of(patience.failed(at(0.5), down(), 1)), 1) << "another batch's";
  EXPECT_DOUBLE_EQ(pause_of(patience.failed(at(4), down(), 2)), 4);
  EXPECT_DOUBLE_EQ(pause_of(patience.failed(at(50), down(), 3)), 30);
  EXPECT_DOUBLE_EQ(pause_of(patience.failed(at(51), down(45), 3)), 45) << "the server's own";
  const auto end = patience.failed(at(80), down(), 9);
  ASSERT_TRUE(std::holds_alternative<GiveUp>(end));
  EXPECT_EQ(std::get<GiveUp>(end).fault, Fault::endpoint);
  EXPECT_THAT(std::get<GiveUp>(end).reason, HasSubstr("80 s"));
  EXPECT_DOUBLE_EQ(pause_of(patience.failed(at(500), down(), 1)), 1) << "asked later: from the beginning";
}

TEST(BatchPatience, AnAnswerRestartsIt) {
  Model model;
  model.patience = {.seconds = 100, .longest_pause = 30};
  BatchPatience patience(model);
  patience.failed(at(0), down(), 1);
  EXPECT_EQ(patience.out_since(), at(0));
  patience.answered();
  EXPECT_EQ(patience.out_since(), std::nullopt);
  EXPECT_DOUBLE_EQ(pause_of(patience.failed(at(99), down(), 1)), 1);
}

TEST(BatchPatience, WithoutPatienceOnlyTheAttemptsCount) {
  Model model;
  model.patience.seconds = 0;
  model.retries.attempts = 2;
  BatchPatience patience(model);
  EXPECT_DOUBLE_EQ(pause_of(patience.failed(at(0), down(), 1)), 1);
  const auto end = patience.failed(at(1), down(), 2);
  ASSERT_TRUE(std::holds_alternative<GiveUp>(end));
  EXPECT_THAT(std::get<GiveUp>(end).reason, HasSubstr("2 attempts"));
  const auto too_long = patience.failed(at(1), down(model.retries.longest + 1), 1);
  ASSERT_TRUE(std::holds_alternative<GiveUp>(too_long));
  EXPECT_EQ(std::get<GiveUp>(too_long).reason,
            "the server asks for a wait of 10 min, more than retries.longest allows");
  model.retries.longest = 30;
  BatchPatience brief(model);
  brief.failed(at(0), down(), 1);
  const auto too_rare = brief.failed(at(50), down(), 1);
  ASSERT_TRUE(std::holds_alternative<GiveUp>(too_rare));
  EXPECT_EQ(std::get<GiveUp>(too_rare).reason,
            "the next attempt would come after a pause of 50 s, more than retries.longest allows");
}

TEST(BatchPatience, ARefusalIsTheAccountsFaultAtOnce) {
  for (const auto blame : {Blame::account, Blame::denied, Blame::request}) {
    BatchPatience patience{Model()};
    auto no = down();
    no.blame = blame;
    const auto end = patience.failed(at(0), no, 1);
    ASSERT_TRUE(std::holds_alternative<GiveUp>(end));
    EXPECT_EQ(std::get<GiveUp>(end).fault, Fault::account);
  }
}

TEST(OpenBatches, ARequestWaitsForItsLatestBatch) {
  OpenBatches batches;
  batches.add("old", {"a", "b"});
  batches.add("new", {"b", "c"});
  EXPECT_EQ(batches.batch_of("a"), "old");
  EXPECT_EQ(batches.batch_of("b"), "new");
  EXPECT_EQ(batches.batch_of("z"), std::nullopt);
  EXPECT_THAT(batches.finish_request("b"), ElementsAre("old", "new"));
  EXPECT_EQ(batches.batch_of("b"), std::nullopt) << "asked again, it is sent again";
  EXPECT_THAT(batches.finish_request("b"), IsEmpty());
}

TEST(OpenBatches, ADroppedBatchFreesItsRequests) {
  OpenBatches batches;
  batches.add("old", {"a"});
  batches.add("never was", {"a", "b"});
  batches.drop("never was");
  EXPECT_EQ(batches.batch_of("a"), "old");
  EXPECT_EQ(batches.batch_of("b"), std::nullopt);
}

}  // namespace
}  // namespace ridgeline::llm
