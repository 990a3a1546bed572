#include "engine/evaluation/dispatcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgeline::evaluation {
namespace {

using testing::ElementsAre;

std::vector<std::string> log(Dispatcher& dispatcher) {
  std::vector<std::string> lines;
  for (const auto& action : dispatcher.take_actions()) {
    if (const auto* start = std::get_if<StartWorker>(&action))
      lines.push_back("start " + std::to_string(start->worker) + (start->delay > 0 ? " later" : ""));
    if (const auto* send = std::get_if<Send>(&action))
      lines.push_back("send " + std::to_string(send->request) + " to " + std::to_string(send->worker));
    if (const auto* give_up = std::get_if<GiveUp>(&action))
      lines.push_back("give up " + std::to_string(give_up->request));
  }
  return lines;
}

Dispatcher ready_dispatcher(int workers, int window, DispatcherSettings settings = {}) {
  Dispatcher dispatcher(workers, settings);
  dispatcher.take_actions();
  for (int i = 0; i < workers; ++i) dispatcher.worker_ready(i, window);
  return dispatcher;
}

TEST(Dispatcher, StartsEveryWorkerAndHoldsRequestsUntilOneIsReady) {
  Dispatcher dispatcher(2, {});
  dispatcher.submit(1);
  EXPECT_THAT(log(dispatcher), ElementsAre("start 0", "start 1"));
  dispatcher.worker_ready(1, 4);
  EXPECT_THAT(log(dispatcher), ElementsAre("send 1 to 1"));
}

TEST(Dispatcher, SpreadsByShareOfTheWindow) {
  auto dispatcher = ready_dispatcher(2, 1);
  dispatcher.worker_ready(1, 3);
  for (RequestId id = 1; id <= 5; ++id) dispatcher.submit(id);
  EXPECT_THAT(log(dispatcher), ElementsAre("send 1 to 0", "send 2 to 1", "send 3 to 1", "send 4 to 1"))
      << "5 waits";
  EXPECT_TRUE(dispatcher.answered(1, 3));
  EXPECT_THAT(log(dispatcher), ElementsAre("send 5 to 1"));
}

TEST(Dispatcher, SendsALostWorkersRequestsToAnotherFirst) {
  auto dispatcher = ready_dispatcher(2, 2);
  for (RequestId id = 1; id <= 5; ++id) dispatcher.submit(id);
  EXPECT_THAT(log(dispatcher), ElementsAre("send 1 to 0", "send 2 to 1", "send 3 to 0", "send 4 to 1"));
  dispatcher.worker_lost(0);
  dispatcher.answered(1, 2);
  dispatcher.answered(1, 4);
  EXPECT_THAT(log(dispatcher), ElementsAre("start 0 later", "send 1 to 1", "send 3 to 1"));
}

TEST(Dispatcher, ARetryAvoidsTheWorkerThatWasLostWithIt) {
  auto dispatcher = ready_dispatcher(2, 1);
  dispatcher.submit(1);
  dispatcher.submit(2);
  log(dispatcher);
  dispatcher.worker_lost(0);
  dispatcher.worker_ready(0, 1);
  dispatcher.submit(3);
  EXPECT_THAT(log(dispatcher), ElementsAre("start 0 later", "send 3 to 0")) << "1 waits for worker 1";
  dispatcher.answered(1, 2);
  EXPECT_THAT(log(dispatcher), ElementsAre("send 1 to 1"));
}

TEST(Dispatcher, ASingleWorkerRetriesItself) {
  auto dispatcher = ready_dispatcher(1, 1);
  dispatcher.submit(1);
  log(dispatcher);
  dispatcher.worker_lost(0);
  EXPECT_THAT(log(dispatcher), ElementsAre("start 0 later"));
  dispatcher.worker_ready(0, 1);
  EXPECT_THAT(log(dispatcher), ElementsAre("send 1 to 0"));
}

TEST(Dispatcher, ARequestIsGivenUpAtItsSecondLoss) {
  auto dispatcher = ready_dispatcher(2, 1);
  dispatcher.submit(1);
  log(dispatcher);
  dispatcher.worker_lost(0);
  EXPECT_THAT(log(dispatcher), ElementsAre("start 0 later", "send 1 to 1"));
  dispatcher.worker_lost(1);
  EXPECT_THAT(log(dispatcher), ElementsAre("start 1 later", "give up 1"));
}

TEST(Dispatcher, DelaysDoubleUpToALimitAndAnAnswerResetsThem) {
  auto dispatcher = ready_dispatcher(1, 1, {.retries = 9, .starts = 9, .first_delay = 1, .longest_delay = 3});
  const auto delay_after_loss = [&] {
    dispatcher.worker_lost(0);
    return std::get<StartWorker>(dispatcher.take_actions().at(0)).delay;
  };
  EXPECT_EQ(delay_after_loss(), 1);
  EXPECT_EQ(delay_after_loss(), 2);
  EXPECT_EQ(delay_after_loss(), 3);
  dispatcher.submit(1);
  dispatcher.worker_ready(0, 1);
  log(dispatcher);
  dispatcher.answered(0, 1);
  EXPECT_EQ(delay_after_loss(), 1);
}

TEST(Dispatcher, GivesUpAllRequestsWhenTheLastWorkerIsDown) {
  auto dispatcher = ready_dispatcher(1, 1, {.starts = 2});
  dispatcher.submit(1);
  dispatcher.submit(2);
  EXPECT_THAT(log(dispatcher), ElementsAre("send 1 to 0"));
  dispatcher.worker_lost(0);
  EXPECT_THAT(log(dispatcher), ElementsAre("start 0 later"));
  dispatcher.worker_lost(0);
  EXPECT_FALSE(dispatcher.any_worker_left());
  EXPECT_THAT(log(dispatcher), ElementsAre("give up 1", "give up 2"));
  dispatcher.submit(3);
  EXPECT_THAT(log(dispatcher), ElementsAre("give up 3"));
}

TEST(Dispatcher, ARefusedWorkerIsNotStartedAgain) {
  auto dispatcher = ready_dispatcher(2, 1);
  dispatcher.worker_refused(0);
  EXPECT_THAT(log(dispatcher), ElementsAre());
  EXPECT_TRUE(dispatcher.any_worker_left());
  dispatcher.worker_lost(0);
  EXPECT_THAT(log(dispatcher), ElementsAre()) << "its end comes later and changes nothing";
}

TEST(Dispatcher, ReportsAnAnswerToARequestThatTheWorkerDoesNotHave) {
  auto dispatcher = ready_dispatcher(2, 1);
  dispatcher.submit(1);
  log(dispatcher);
  EXPECT_FALSE(dispatcher.answered(1, 1)) << "worker 0 has it";
  EXPECT_FALSE(dispatcher.answered(0, 7));
  EXPECT_TRUE(dispatcher.answered(0, 1));
  EXPECT_FALSE(dispatcher.answered(0, 1)) << "twice";
}

TEST(Dispatcher, ACancelledRequestIsForgotten) {
  auto dispatcher = ready_dispatcher(1, 1);
  dispatcher.submit(1);
  dispatcher.submit(2);
  log(dispatcher);
  EXPECT_EQ(dispatcher.in_flight(0), 1u);
  dispatcher.cancel(1);
  EXPECT_THAT(log(dispatcher), ElementsAre("send 2 to 0"));
  EXPECT_FALSE(dispatcher.answered(0, 1)) << "its answer comes too late";
}

}  // namespace
}  // namespace ridgeline::evaluation
