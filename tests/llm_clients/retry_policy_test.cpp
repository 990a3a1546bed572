#include "llm_clients/retry_policy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgeline::llm {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

const TimePoint kStart{1h};
const Failure kServerError{.status = LlmStatus::server_error, .blame = Blame::endpoint};

Model impatient() {
  Model model;
  model.retries = {.attempts = 10, .base = 2, .cap = 10, .longest = 100};
  model.timeouts.total = 1000;
  model.patience.seconds = 0;
  return model;
}

Model patient() {
  auto model = impatient();
  model.retries.attempts = 2;
  model.patience = {.seconds = 3600, .longest_pause = 300};
  return model;
}

Failure asking_for(double seconds) {
  auto failure = kServerError;
  failure.wait_s = seconds;
  return failure;
}

RetryHistory after(std::chrono::seconds time, int attempts = 1) {
  return {.now = kStart + time, .attempts = attempts, .first = kStart, .out_since = kStart};
}

double wait_of(const RetryDecision& decision) {
  const auto* retry = std::get_if<RetryIn>(&decision);
  return retry ? retry->seconds : -1;
}

std::optional<Fault> fault_of(const RetryDecision& decision) {
  const auto* given_up = std::get_if<GiveUp>(&decision);
  return given_up ? std::optional(given_up->fault) : std::nullopt;
}

std::string reason_of(const RetryDecision& decision) {
  const auto* given_up = std::get_if<GiveUp>(&decision);
  return given_up ? given_up->reason : "";
}

TEST(RetryPolicy, DrawsWaitsUnderADoublingCap) {
  for (const auto& [attempts, wait] : std::vector<std::pair<int, double>>{{1, 1}, {2, 2}, {3, 4}, {4, 5}})
    EXPECT_DOUBLE_EQ(wait_of(decide_retry(impatient(), kServerError, after(0s, attempts), 0.5)), wait);
  EXPECT_DOUBLE_EQ(wait_of(decide_retry(impatient(), kServerError, after(0s, 9), 0)), 0);
}

TEST(RetryPolicy, WithoutPatienceOnlyTheQuickAttemptsCount) {
  const auto last = decide_retry(impatient(), kServerError, after(0s, 10), 0.5);
  EXPECT_EQ(fault_of(last), Fault::endpoint);
  EXPECT_THAT(reason_of(last), HasSubstr("given up after 10 attempts"));
  auto alone = after(0s, 10);
  alone.others_answered = true;
  EXPECT_EQ(fault_of(decide_retry(impatient(), kServerError, alone, 0.5)), Fault::request);
}

TEST(RetryPolicy, ObservesTheServersWaitUpToTheLongest) {
  EXPECT_DOUBLE_EQ(wait_of(decide_retry(impatient(), asking_for(50), after(0s), 0.5)), 51);
  const auto too_long = decide_retry(impatient(), asking_for(101), after(0s), 0.5);
  EXPECT_EQ(fault_of(too_long), Fault::endpoint);
  EXPECT_THAT(reason_of(too_long), HasSubstr("101 s"));
}

TEST(RetryPolicy, TheTotalTimeBoundsAllQuickAttemptsTogether) {
  auto tries = after(0s);
  tries.seconds = 899;
  EXPECT_GE(wait_of(decide_retry(impatient(), kServerError, tries, 0.5)), 0);
  tries.seconds = 901;  // what is left is not worth a try
  const auto over = decide_retry(impatient(), kServerError, tries, 0.5);
  EXPECT_EQ(fault_of(over), Fault::endpoint);
  EXPECT_EQ(reason_of(over), "given up after 1 attempt, which took 15 min (timeouts.total is 17 min)");
  tries.attempts = 10;
  EXPECT_EQ(reason_of(decide_retry(impatient(), kServerError, tries, 0.5)),
            "given up after 10 attempts (retries.attempts)");
  EXPECT_DOUBLE_EQ(seconds_left(impatient(), 0, 0), 1000);
  EXPECT_DOUBLE_EQ(seconds_left(impatient(), 1, 600), 400);
  EXPECT_DOUBLE_EQ(seconds_left(impatient(), 1, 950), 1000) << "no quick try any more: all of it";
  EXPECT_DOUBLE_EQ(seconds_left(impatient(), 10, 600), 1000);
}

TEST(RetryPolicy, WithPatienceAttemptsGoOnAfterTheQuickOnes) {
  EXPECT_DOUBLE_EQ(wait_of(decide_retry(patient(), kServerError, after(0s, 1), 0.5)), 1);
  EXPECT_DOUBLE_EQ(wait_of(decide_retry(patient(), kServerError, after(10s, 3), 0.5)), 6) << "¾ of 8 s";
  EXPECT_DOUBLE_EQ(wait_of(decide_retry(patient(), kServerError, after(10s, 30), 0.5)), 225) << "¾ of 300 s";
  EXPECT_DOUBLE_EQ(wait_of(decide_retry(patient(), kServerError, after(3500s, 30), 0.5)), 100)
      << "not beyond the end of the patience";
}

TEST(RetryPolicy, PatienceIsCountedFromTheEndpointsFirstFailure) {
  auto tries = after(3600s, 30);
  const auto over = decide_retry(patient(), kServerError, tries, 0.5);
  EXPECT_EQ(fault_of(over), Fault::endpoint);
  EXPECT_THAT(reason_of(over), HasSubstr("no answer for 60 min"));
  tries.first = kStart + 3000s;  // this request came late into the outage
  EXPECT_EQ(fault_of(decide_retry(patient(), kServerError, tries, 0.5)), Fault::endpoint);
  tries.out_since = kStart + 3500s;
  EXPECT_GE(wait_of(decide_retry(patient(), kServerError, tries, 0.5)), 0);
}

TEST(RetryPolicy, BlamesTheRequestIfOthersAreAnswered) {
  auto tries = after(3600s, 30);
  tries.others_answered = true;
  tries.out_since = tries.now;
  EXPECT_EQ(fault_of(decide_retry(patient(), kServerError, tries, 0.5)), Fault::request);
  tries.first = kStart + 60s;
  EXPECT_GE(wait_of(decide_retry(patient(), kServerError, tries, 0.5)), 0);
}

TEST(RetryPolicy, DoesNotBeginAWaitBeyondPatience) {
  EXPECT_DOUBLE_EQ(wait_of(decide_retry(patient(), asking_for(3000), after(0s), 0.5)), 3001)
      << "retries.longest bounds nothing here";
  const auto too_long = decide_retry(patient(), asking_for(8 * 3600), after(0s), 0.5);
  EXPECT_EQ(fault_of(too_long), Fault::endpoint);
  EXPECT_THAT(reason_of(too_long), HasSubstr("8 h 0 min"));
}

TEST(RetryPolicy, WaitsOnlyForTheEndpoint) {
  for (const auto& model : {impatient(), patient()}) {
    const auto fault = [&](Blame blame, int attempts = 1) {
      return fault_of(decide_retry(model, {.blame = blame}, after(0s, attempts), 0.5));
    };
    EXPECT_EQ(fault(Blame::request), Fault::request);
    EXPECT_EQ(fault(Blame::denied), Fault::request);
    EXPECT_EQ(fault(Blame::account), Fault::account);
    EXPECT_EQ(fault(Blame::answer), std::nullopt) << "an empty answer is tried again";
    EXPECT_EQ(fault(Blame::answer, model.retries.attempts), Fault::request);
  }
}

TEST(RetryPolicy, FormatsDurations) {
  EXPECT_EQ(duration_text(0.25), "0.25 s");
  EXPECT_EQ(duration_text(101), "101 s");
  EXPECT_EQ(duration_text(119.4), "119 s");
  EXPECT_EQ(duration_text(119.7), "2 min");
  EXPECT_EQ(duration_text(179), "3 min");
  EXPECT_EQ(duration_text(600), "10 min");
  EXPECT_EQ(duration_text(2 * 3600 - 1), "2 h 0 min");
  EXPECT_EQ(duration_text(6 * 3600 + 120), "6 h 2 min");
}

}  // namespace
}  // namespace ridgeline::llm
