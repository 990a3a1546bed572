#include "engine/core/routine.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/effects.hpp"

namespace ridgeline {
namespace {

/// Answers at once or when it is told to.
class ManualEffects : public Effects {
 public:
  bool at_once = true;
  std::vector<int> rounds;
  std::vector<std::vector<Address>> waits;
  std::vector<Address> given_up;
  std::vector<std::string> reasons;

  /// The wait number `index` ends with these.
  void end(std::size_t index, const std::vector<Address>& ends) {
    std::vector<End> results;
    for (const auto address : ends) results.push_back({address, {}});
    const auto done = std::exchange(done_.at(index), nullptr);
    done(std::move(results));
  }

 private:
  void begin(Request request) override { rounds.push_back(request.round); }
  void wait(std::vector<Address> among, Until until, Done done) override {
    waits.push_back(among);
    done_.push_back(std::move(done));
    if (at_once) end(waits.size() - 1, until == Until::all ? among : std::vector{among.front()});
  }
  void cancel(const std::vector<Address>& them, const std::string& reason) noexcept override {
    given_up.insert(given_up.end(), them.begin(), them.end());
    reasons.push_back(reason);
  }

  std::vector<Done> done_;
};

Routine<int> one_round(Effects& effects, int round) {
  std::vector<Ask> asks(2);
  const auto attempts = co_await effects.attempt_all(round, std::move(asks));
  co_return static_cast<int>(attempts.size());
}

Routine<> rounds(Effects& effects, int count, int& total) {
  for (int round = 0; round < count; ++round) {
    auto inner = one_round(effects, round);
    total += co_await std::move(inner);
  }
}

TEST(Routine, RunsToTheEndWhenEffectsAnswerAtOnceWithoutGrowingTheStack) {
  ManualEffects effects;
  int total = 0;
  bool ended = false;
  auto routine = rounds(effects, 100'000, total);
  routine.start([&](std::exception_ptr error) { ended = error == nullptr; });
  EXPECT_TRUE(ended);
  EXPECT_EQ(total, 200'000);
}

TEST(Routine, SuspendsUntilTheEffectIsDone) {
  ManualEffects effects;
  effects.at_once = false;
  int total = 0;
  bool ended = false;
  auto routine = rounds(effects, 2, total);
  routine.start([&](std::exception_ptr) { ended = true; });
  ASSERT_EQ(effects.waits.size(), 1u);
  EXPECT_EQ(total, 0);
  effects.end(0, effects.waits[0]);
  ASSERT_EQ(effects.waits.size(), 2u);
  EXPECT_EQ(total, 2);
  EXPECT_FALSE(ended);
  effects.end(1, effects.waits[1]);
  EXPECT_TRUE(ended);
  EXPECT_EQ(effects.rounds, (std::vector<int>{0, 0, 1, 1}));
}

Routine<int> fails(Effects& effects) {
  std::vector<Ask> asks(1);
  co_await effects.ask_all(0, std::move(asks));
  throw std::runtime_error("inner");
}

Routine<> awaits_failure(Effects& effects) {
  auto inner = fails(effects);
  co_await std::move(inner);
}

TEST(Routine, CarriesAnExceptionThroughToTheEnd) {
  ManualEffects effects;
  std::string message;
  auto routine = awaits_failure(effects);
  routine.start([&](std::exception_ptr error) {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& what) {
      message = what.what();
    }
  });
  EXPECT_EQ(message, "inner");
}

TEST(Routine, DestroyedWhileSuspendedDestroysWhatItHolds) {
  ManualEffects effects;
  effects.at_once = false;
  auto alive = std::make_shared<int>(1);
  std::weak_ptr<int> watch = alive;
  {
    auto holding = [](Effects& on, std::shared_ptr<int> held) -> Routine<> {
      std::vector<Ask> asks(1);
      co_await on.ask_all(0, std::move(asks));
      *held = 2;
    };
    auto routine = holding(effects, std::move(alive));
    routine.start([](std::exception_ptr) {});
    EXPECT_FALSE(watch.expired());
  }
  EXPECT_TRUE(watch.expired());
}

TEST(Routine, MayBeDestroyedByItsOwnEnd) {
  ManualEffects effects;
  int total = 0;
  std::unique_ptr<Routine<>> routine = std::make_unique<Routine<>>(rounds(effects, 1, total));
  auto* started = routine.get();
  started->start([&](std::exception_ptr) { routine.reset(); });
  EXPECT_EQ(routine, nullptr);
}

using Address = Effects::Address;

/// Begins three, sees the first end, gives up the third, and waits for the second.
Routine<> one_by_one(Effects& effects, std::vector<Address>& seen, bool fails_then) {
  EffectGroup group(effects);
  for (int i = 0; i < 3; ++i) group.begin_ask(i, Ask{});
  seen.push_back((co_await group.first_end()).address);
  if (fails_then) throw std::runtime_error("the strategy");
  group.cancel({2, 0}, "not needed");
  seen.push_back((co_await group.end_of({0, 0})).address);
  EXPECT_TRUE(group.empty());
}

TEST(EffectGroup, GivesTheFirstEndAndThenTheRequestedEnd) {
  ManualEffects effects;
  effects.at_once = false;
  std::vector<Address> seen;
  auto routine = one_by_one(effects, seen, false);
  routine.start([](std::exception_ptr error) { EXPECT_EQ(error, nullptr); });
  EXPECT_EQ(effects.waits.at(0), (std::vector<Address>{{0, 0}, {1, 0}, {2, 0}}));
  effects.end(0, {{1, 0}});
  EXPECT_EQ(effects.waits.at(1), (std::vector<Address>{{0, 0}}));
  effects.end(1, {{0, 0}});
  EXPECT_EQ(seen, (std::vector<Address>{{1, 0}, {0, 0}}));
  EXPECT_EQ(effects.given_up, (std::vector<Address>{{2, 0}}));
  EXPECT_EQ(effects.reasons, std::vector<std::string>{"not needed"});
}

TEST(EffectGroup, CancelsWhatIsUnderWayWhenTheStrategyThrows) {
  ManualEffects effects;
  effects.at_once = false;
  std::vector<Address> seen;
  auto routine = one_by_one(effects, seen, true);
  std::exception_ptr error;
  routine.start([&](std::exception_ptr thrown) { error = thrown; });
  effects.end(0, {{1, 0}});
  EXPECT_NE(error, nullptr);
  EXPECT_EQ(effects.given_up, (std::vector<Address>{{0, 0}, {2, 0}}));
  EXPECT_EQ(effects.reasons, std::vector<std::string>{"the strategy ended"});
}

TEST(JoinedBatch, EndsAtOnceIfItIsEmptyAndTakesAStep) {
  ManualEffects effects;
  std::vector<Address> seen;
  const auto empty_then_one = [](Effects& on, std::vector<Address>& addresses) -> Routine<> {
    std::vector<Ask> none;
    const auto attempts = co_await on.attempt_all(0, std::move(none));
    EXPECT_TRUE(attempts.empty());
    EffectGroup group(on);
    addresses.push_back(group.begin_ask(1, Ask{}));
    co_await group.first_end();
  };
  auto routine = empty_then_one(effects, seen);
  routine.start([](std::exception_ptr error) { EXPECT_EQ(error, nullptr); });
  EXPECT_EQ(seen, (std::vector<Address>{{1, 0}}));
}

}  // namespace
}  // namespace ridgeline
