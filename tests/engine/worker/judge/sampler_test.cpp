// Sampling over a fake caller with a fake clock: how batches are chosen, and what ends it.
#include "engine/worker/judge/sampler.hpp"

#include <gtest/gtest.h>

#include <set>

#include "engine/worker/judge/confirmed.hpp"

namespace ridgeline::judge {
namespace {

double clock_now = 0;
double fake_now() {
  return clock_now;
}

class FakeCaller : public BatchCaller {
 public:
  explicit FakeCaller(double call) : call_(call) {}
  std::optional<BatchTimes> call(std::size_t first, std::size_t count) override {
    if (batches.size() == most_batches) return std::nullopt;
    batches.push_back({first, count});
    const double work = static_cast<double>(count) * call_;
    clock_now += work;
    return BatchTimes{.wall = work + 10e-6, .cpu = work, .outside_cpu = 0, .claimed = work};
  }
  std::vector<std::pair<std::size_t, std::size_t>> batches;
  std::size_t most_batches = 100'000;

 private:
  double call_;
};

class FakeKeeper : public SlotKeeper {
 public:
  explicit FakeKeeper(std::size_t slots) : slots_(slots) {}
  std::size_t slots() const override { return slots_; }
  bool prepare(std::size_t count, bool cold) override {
    EXPECT_LE(count, slots_);
    prepared.push_back({count, cold});
    return true;
  }
  bool inspect(std::size_t first, std::size_t count) override {
    EXPECT_LE(first + count, prepared.back().first);
    return ++inspected != wrong_at;
  }
  bool untouched(std::size_t first, std::size_t count) override {
    EXPECT_EQ(first + count, prepared.back().first);
    return !early;
  }
  std::vector<std::pair<std::size_t, bool>> prepared;
  bool early = false;
  std::size_t inspected = 0;
  std::size_t wrong_at = 0;

 private:
  std::size_t slots_;
};

Sampling run(FakeCaller& caller, FakeKeeper& keeper, SamplingLimits limits = {}) {
  clock_now = 0;
  Random random(3);
  return sample(caller, keeper, limits, random, fake_now);
}

TEST(Sampler, ASlotThatWasTouchedBeforeItsBatchEndsIt) {
  FakeCaller caller(1e-4);
  FakeKeeper keeper(30);
  keeper.early = true;
  EXPECT_EQ(run(caller, keeper).end, SamplingEnd::slot_wrong);
}

TEST(Sampler, ShortCallsAreBatchedUntilABatchLasts) {
  FakeCaller caller(1e-6);
  FakeKeeper keeper(768);
  const auto sampling = run(caller, keeper);
  EXPECT_EQ(sampling.end, SamplingEnd::enough);
  ASSERT_FALSE(sampling.pairs.empty());
  for (const auto& pair : sampling.pairs) EXPECT_NEAR(static_cast<double>(pair.calls), 200, 2);
}

TEST(Sampler, LongCallsComeOneAndTwoAtATime) {
  FakeCaller caller(5e-3);
  FakeKeeper keeper(768);
  const auto sampling = run(caller, keeper);
  for (const auto& pair : sampling.pairs) EXPECT_EQ(pair.calls, 1u);
  EXPECT_GE(sampling.pairs.size(), 3u);
  EXPECT_EQ(sampling.end, SamplingEnd::capped);
}

TEST(Sampler, NoSlotIsCalledTwiceBetweenTwoFillings) {
  FakeCaller caller(20e-6);
  FakeKeeper keeper(300);
  run(caller, keeper);
  ASSERT_EQ(caller.batches.size(), 2 * keeper.prepared.size());
  for (std::size_t i = 0; i < caller.batches.size(); i += 2) {
    std::set<std::size_t> called;
    for (const auto& [first, count] : {caller.batches[i], caller.batches[i + 1]})
      for (std::size_t slot = first; slot < first + count; ++slot) EXPECT_TRUE(called.insert(slot).second);
    EXPECT_EQ(called.size(), keeper.prepared[i / 2].first);
    EXPECT_TRUE(keeper.prepared[i / 2].second) << "cold samples are flushed";
  }
}

TEST(Sampler, TheLongBatchIsNotAlwaysFirst) {
  FakeCaller caller(20e-6);
  FakeKeeper keeper(300);
  run(caller, keeper, {.floor_samples = 20});
  std::set<bool> long_first;
  for (std::size_t i = 0; i < caller.batches.size(); i += 2)
    long_first.insert(caller.batches[i].second > caller.batches[i + 1].second);
  EXPECT_EQ(long_first.size(), 2u);
}

TEST(Sampler, ACallerThatEndsEndsIt) {
  FakeCaller caller(20e-6);
  caller.most_batches = 7;
  FakeKeeper keeper(300);
  EXPECT_EQ(run(caller, keeper).end, SamplingEnd::caller_over);
}

TEST(Sampler, AWrongSlotEndsItAtOnce) {
  FakeCaller caller(20e-6);
  FakeKeeper keeper(300);
  keeper.wrong_at = 5;
  EXPECT_EQ(run(caller, keeper).end, SamplingEnd::slot_wrong);
  EXPECT_EQ(caller.batches.size(), 5u) << "nothing is called after it";
}

TEST(Sampler, VeryLongCallsEndWithASinglePair) {
  FakeCaller caller(2);
  FakeKeeper keeper(3);
  EXPECT_EQ(run(caller, keeper).pairs.size(), 1u);
}

TEST(Sampler, HotCallsAreWarmedAndNeverFlushed) {
  FakeCaller caller(20e-6);
  FakeKeeper keeper(300);
  clock_now = 0;
  const auto sampling = sample_hot(caller, keeper, 30, 5, {}, /*refill=*/false);
  EXPECT_EQ(sampling.pairs.size(), 5u);
  ASSERT_EQ(keeper.prepared.size(), 1u);
  EXPECT_FALSE(keeper.prepared[0].second);
  EXPECT_EQ(caller.batches.front(), (std::pair<std::size_t, std::size_t>{0, 30}));
}

/// Samples of an invented kernel, weighed as `disputes` say, one after another.
Confirmed confirm(FakeKeeper& keeper, std::vector<Dispute> disputes, std::size_t& weighed) {
  FakeCaller caller(1e-4);
  clock_now = 0;
  Random random(3);
  weighed = 0;
  return sample_confirmed(caller, keeper, {}, random, fake_now, [&](const std::vector<BatchPair>& pairs) {
    EXPECT_FALSE(pairs.empty());
    Evidence evidence;
    evidence.samples = {1e-4};
    evidence.dispute = disputes.at(weighed++);
    return evidence;
  });
}

TEST(Confirmed, AnAgreementStandsAtOnce) {
  FakeKeeper keeper(30);
  std::size_t weighed = 0;
  const auto confirmed = confirm(keeper, {Dispute::none}, weighed);
  EXPECT_EQ(weighed, 1u);
  EXPECT_EQ(confirmed.evidence.dispute, Dispute::none);
  EXPECT_EQ(confirmed.at_first, Dispute::none);
}

TEST(Confirmed, ADisputeThatDoesNotComeAgainIsForgiven) {
  FakeKeeper keeper(30);
  std::size_t weighed = 0;
  const auto confirmed = confirm(keeper, {Dispute::claim_undercuts, Dispute::none}, weighed);
  EXPECT_EQ(weighed, 2u);
  EXPECT_EQ(confirmed.evidence.dispute, Dispute::none);
  EXPECT_EQ(confirmed.at_first, Dispute::claim_undercuts);
}

TEST(Confirmed, ADisputeThatComesAgainStands) {
  FakeKeeper keeper(30);
  std::size_t weighed = 0;
  const auto confirmed = confirm(keeper, {Dispute::outside_window, Dispute::claim_undercuts}, weighed);
  EXPECT_EQ(weighed, 2u);
  EXPECT_EQ(confirmed.evidence.dispute, Dispute::claim_undercuts);
}

TEST(Confirmed, AWrongSlotEndsItBeforeAnythingIsWeighed) {
  FakeKeeper keeper(30);
  keeper.wrong_at = 2;
  std::size_t weighed = 0;
  EXPECT_EQ(confirm(keeper, {}, weighed).end, SamplingEnd::slot_wrong);
  EXPECT_EQ(weighed, 0u);
}

}  // namespace
}  // namespace ridgeline::judge
