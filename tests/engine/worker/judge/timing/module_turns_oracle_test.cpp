// A module's candidate and its reference in turns, both in runners; what becomes of it when the reference's
// ends.
#include "engine/worker/judge/timing/module_turns.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "engine/worker/judge/backends/host_backend.hpp"
#include "engine/worker/protocol/torch_job.hpp"
#include "tests/engine/worker/judge/linear_task.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kLimit = 60;  // seconds

std::unique_ptr<RunnerProcess> runner_of(const std::string& name, const std::string& source) {
  RunnerSettings settings;
  settings.scratch_parent = std::filesystem::temp_directory_path();
  settings.level = sandbox::best_level(sandbox::probe_isolation());
  settings.python = tests_python();
  auto runner = std::make_unique<RunnerProcess>(settings);
  const auto job = settings.scratch_parent / (name + std::to_string(::getpid()) + ".json");
  std::ofstream(job) << protocol::to_json(protocol::torch_job(linear_task(), name, source, "answer.py"));
  const auto loaded = runner->load(job, kLimit);
  std::filesystem::remove(job);
  const auto* reply = std::get_if<runner::Reply>(&loaded);
  EXPECT_TRUE(reply && reply->answer == runner::Answer::ok);
  return runner;
}

class OracleModuleTurns : public testing::Test {
 protected:
  OracleModuleTurns() : prepared_(linear_task(), 7, backend_) {
    prepared_.reference_runner = runner_of("Model", linear_model);
    candidate_ = runner_of("ModelNew", std::string(linear_model) + "class ModelNew(Model):\n    pass\n");
    one().timing_arena = backend_.make_arena(prepared_.task(), one().definition(), 30);
    candidate_->map(*one().timing_arena, kLimit);
    caller_.emplace(*candidate_, kLimit);
    slots_.emplace(prepared_, one(), candidate_.get());
    turns_.emplace(prepared_, one(), *candidate_, *caller_, *slots_, limits_, [] {});
  }
  PreparedCase& one() { return *prepared_.cases().front(); }
  Evidence weighed(const Sampling& sampling) {
    return backend_.weigh(sampling.pairs, candidate_->trusted_overhead());
  }

  HostBackend backend_{tests_python()};
  PreparedTask prepared_;
  const SamplingLimits limits_;
  std::unique_ptr<RunnerProcess> candidate_;
  std::optional<RunnerCaller> caller_;
  std::optional<TimedSlots> slots_;
  std::optional<ModuleTurns> turns_;
};

TEST_F(OracleModuleTurns, BothSidesAreEnteredAndTheBaselineIsKept) {
  one().baseline_confirmed = true;
  const auto evidence = weighed(turns_->take());
  CaseTiming measured;
  ASSERT_TRUE(turns_->enter(measured, evidence));
  EXPECT_GT(measured.cold.median, 0);
  EXPECT_GT(measured.baseline_cold.median, 0);
  EXPECT_EQ(measured.cold.samples.size(), measured.baseline_cold.samples.size()) << "of the same rounds";
  EXPECT_GT(turns_->own_seconds(), 0);
  EXPECT_FALSE(turns_->ran_while_paused());
  ASSERT_TRUE(one().baseline);
  EXPECT_EQ(one().baseline->median, measured.baseline_cold.median);
  EXPECT_EQ(one().reference_seconds, measured.baseline_cold.median);
  EXPECT_FALSE(one().baseline_confirmed) << "a candidate that takes no turns looks at it";
}

TEST_F(OracleModuleTurns, CallsAreRememberedThatMayBeCompared) {
  turns_->take();
  EXPECT_GE(slots_->remembered().size(), 12u);
}

TEST_F(OracleModuleTurns, CallsOfTurnsThatWereChosenComeFirst) {
  turns_->take();
  auto& calls = slots_->remembered();
  const auto chosen = calls.back().turn;
  const auto of_chosen = [&] {
    return std::ranges::count_if(calls, [&](const auto& call) { return call.turn == chosen; });
  };
  const auto were = of_chosen();
  EXPECT_LT(were, static_cast<long>(calls.size())) << "calls of other turns are remembered too";
  slots_->keep_turns({chosen});
  EXPECT_EQ(of_chosen(), were);
  EXPECT_EQ(calls.front().turn, chosen);
  EXPECT_EQ(calls.size(), std::max<std::size_t>(12, static_cast<std::size_t>(were)));
}

TEST_F(OracleModuleTurns, WhatIsInDisputeIsKeptForNobody) {
  auto evidence = weighed(turns_->take());
  evidence.dispute = Dispute::outside_window;
  CaseTiming measured;
  EXPECT_TRUE(turns_->enter(measured, evidence));
  EXPECT_FALSE(one().baseline);
}

TEST_F(OracleModuleTurns, AReferenceThatEndsIsNoTimeOfTheCandidates) {
  one().baseline = Duration{.median = 1e-9};
  ::kill(prepared_.reference_runner->pid(), SIGKILL);
  const auto sampling = turns_->take();
  EXPECT_NE(sampling.end, SamplingEnd::caller_over) << "which would be the candidate's end";
  EXPECT_TRUE(sampling.pairs.empty());
  CaseTiming measured;
  EXPECT_FALSE(turns_->enter(measured, weighed(sampling)));
  EXPECT_EQ(one().baseline->median, 1e-9);
  turns_.reset();
  EXPECT_FALSE(prepared_.reference_runner) << "it is none for the next candidate";
}

}  // namespace
}  // namespace ridgeline::judge
