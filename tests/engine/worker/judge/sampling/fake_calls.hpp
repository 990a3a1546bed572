// Stands in for a runner and its slots, under a clock that only calls move.
#pragma once

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "engine/worker/judge/sampling/sampler.hpp"

namespace ridgeline::judge {

inline double clock_now = 0;
inline double fake_now() {
  return clock_now;
}

/// Takes a time for each call that a test chooses; the clock goes on by it.
class FakeCaller : public BatchCaller {
 public:
  explicit FakeCaller(double call) : call_(call) {}
  std::optional<BatchTimes> call(std::size_t first, std::size_t count) override {
    if (batches.size() == most_batches) return std::nullopt;
    batches.push_back({first, count});
    const double work = static_cast<double>(count) * (batches.size() <= slow_batches ? slow_call : call_);
    clock_now += work;
    const double cpu = wakes_busily ? work + wake : work;
    return BatchTimes{.wall = work + wake, .cpu = cpu, .outside_cpu = 0, .claimed = work};
  }
  Overhead overhead() const override { return trusted; }
  std::vector<std::pair<std::size_t, std::size_t>> batches;
  std::size_t most_batches = 100'000;
  std::size_t slow_batches = 0;
  double slow_call = 0;
  double wake = 10e-6;        // seconds of a window beside its calls
  bool wakes_busily = false;  // they are CPU time too, as of a process that waits awake for its device
  Overhead trusted;

 private:
  double call_;
};

/// Writes down what it is asked for.
class FakeKeeper : public SlotKeeper {
 public:
  explicit FakeKeeper(std::size_t slots) : slots_(slots) {}
  std::size_t slots() const override { return slots_; }
  struct Filling {
    std::size_t first, count;
    bool cold;
  };
  bool arrange(std::size_t count) override {
    EXPECT_LE(count, slots_);
    arranged.push_back(count);
    return true;
  }
  double fill(std::size_t first, std::size_t count, bool cold) override {
    EXPECT_LE(first + count, arranged.back());
    fillings.push_back({first, count, cold});
    return interruption;
  }
  bool prepare_rounds(const HotPlan& plan) override {
    rounds.push_back(plan);
    return !unwilling && prepare(plan.slots, false);
  }
  bool inspect(std::size_t first, std::size_t count) override {
    EXPECT_LE(first + count, arranged.back());
    return ++inspected != wrong_at;
  }
  std::vector<std::size_t> arranged;
  std::vector<Filling> fillings;
  std::vector<HotPlan> rounds;
  double interruption = 0;
  bool unwilling = false;
  std::size_t inspected = 0;
  std::size_t wrong_at = 0;

 private:
  std::size_t slots_;
};

}  // namespace ridgeline::judge
