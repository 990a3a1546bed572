// A module's candidate and its reference in interleaved rounds, both in runners, also when the reference's
// runner ends.
#include "engine/worker/judge/timing/module_rounds.hpp"

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

class OracleModuleRounds : public testing::Test {
 protected:
  OracleModuleRounds() : prepared_(linear_task(), 7, backend_) {
    prepared_.reference_runner().started(runner_of("Model", linear_model));
    candidate_ = runner_of("ModelNew", std::string(linear_model) + "class ModelNew(Model):\n    pass\n");
    first_case().timing_arena = backend_.memory().make_arena(prepared_.task(), first_case().definition(), 30);
    candidate_->map(*first_case().timing_arena, kLimit);
    caller_.emplace(*candidate_, kLimit);
    slots_.emplace(prepared_, first_case(), candidate_.get());
    rounds_.emplace(prepared_, first_case(), *candidate_, *caller_, *slots_, limits_, [] {});
  }
  PreparedCase& first_case() { return *prepared_.cases().front(); }

  HostBackend backend_{tests_python()};
  PreparedTask prepared_;
  const SamplingLimits limits_;
  std::unique_ptr<RunnerProcess> candidate_;
  std::optional<RunnerCaller> caller_;
  std::optional<TimedSlots> slots_;
  std::optional<ModuleRounds> rounds_;
};

TEST_F(OracleModuleRounds, BothSidesAreMeasuredAndTheBaselineIsKept) {
  first_case().baseline().rounds_ended({.median = 1});
  first_case().baseline().check_ended(1, BusyHostSlows::both);
  rounds_->sample();
  const auto summary = rounds_->summary();
  CaseTiming measured;
  ASSERT_TRUE(apply(summary, measured, first_case().baseline()));
  keep(summary, first_case().baseline());
  EXPECT_GT(measured.cold.median, 0);
  EXPECT_GT(measured.baseline_cold.median, 0);
  EXPECT_EQ(measured.cold.samples.size(), measured.baseline_cold.samples.size()) << "of the same rounds";
  EXPECT_GT(summary.own_seconds, 0);
  EXPECT_FALSE(rounds_->candidate_ran_while_paused());
  ASSERT_TRUE(first_case().baseline().kept());
  EXPECT_EQ(first_case().baseline().kept()->median, measured.baseline_cold.median);
  EXPECT_EQ(first_case().baseline().reference_seconds(), measured.baseline_cold.median);
  EXPECT_FALSE(first_case().baseline().confirmed()) << "a candidate without rounds checks it";
}

TEST_F(OracleModuleRounds, CallsAreRememberedForComparison) {
  rounds_->sample();
  EXPECT_GE(slots_->remembered().size(), 12u);
}

TEST_F(OracleModuleRounds, CallsOfKeptRoundsComeFirst) {
  rounds_->sample();
  auto& calls = slots_->remembered();
  const auto kept = calls.back().round;
  const auto calls_of_kept = [&] {
    return std::ranges::count_if(calls, [&](const auto& call) { return call.round == kept; });
  };
  const auto before = calls_of_kept();
  EXPECT_LT(before, static_cast<long>(calls.size())) << "calls of other rounds are remembered too";
  slots_->keep_rounds({kept});
  EXPECT_EQ(calls_of_kept(), before);
  EXPECT_EQ(calls.front().round, kept);
  EXPECT_EQ(calls.size(), std::max<std::size_t>(12, static_cast<std::size_t>(before)));
}

TEST_F(OracleModuleRounds, CallsAfterAChoiceOfRoundsTakeNoPlaceOfThoseKept) {
  const auto make_round = [&] {
    slots_->begin_round();
    ASSERT_TRUE(slots_->prepare(4, /*cold=*/false));
    ASSERT_TRUE(caller_->call(0, 4));
    EXPECT_TRUE(slots_->inspect(0, 4));
  };
  make_round();
  slots_->keep_rounds({0});
  const auto& calls = slots_->remembered();
  const auto kept = calls.size();
  EXPECT_GT(kept, 0u);
  make_round();
  EXPECT_GT(calls.size(), kept);
  for (std::size_t i = 0; i < calls.size(); ++i) EXPECT_EQ(calls[i].round, i < kept ? 0u : 1u) << i;
}

TEST_F(OracleModuleRounds, AReferenceThatEndsIsNotTheCandidatesFault) {
  first_case().baseline().rounds_ended({.median = 1e-9});
  ::kill(prepared_.reference_runner().process()->pid(), SIGKILL);
  const auto sampling = rounds_->sample();
  EXPECT_NE(sampling.end, SamplingEnd::caller_over) << "which would be the candidate's end";
  EXPECT_TRUE(sampling.pairs.empty());
  const auto summary = rounds_->summary();
  CaseTiming measured;
  EXPECT_FALSE(apply(summary, measured, first_case().baseline()));
  keep(summary, first_case().baseline());
  EXPECT_EQ(first_case().baseline().kept()->median, 1e-9);
  rounds_.reset();
  EXPECT_FALSE(prepared_.reference_runner().exists()) << "the next candidate gets a fresh one";
  EXPECT_NE(prepared_.reference_runner().how_ended(), "");
}

}  // namespace
}  // namespace ridgeline::judge
