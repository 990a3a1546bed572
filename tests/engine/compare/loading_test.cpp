#include "engine/compare/loading.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "engine/compare/compare.hpp"
#include "engine/core/error.hpp"
#include "engine/store/figures.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"
#include "engine/store/writer.hpp"
#include "tests/engine/store/samples.hpp"

namespace ridgeline::compare {
namespace {

namespace stored = store::samples;
using store::TrajectoryState;
using Readers = std::vector<const store::Reader*>;

/// Two trajectories of one task; the first fails, asks a critic, and is rescued, the second stays pending.
class Loading : public testing::Test {
 protected:
  Loading() : store_(store::Store::open(folder_.path("store.db"), store::OpenMode::create_or_resume)) {
    store::Writer writer(store_, [](const std::function<void()>& work) { work(); });
    const auto task = stored::task();
    std::vector trajectories{stored::trajectory(task, 1), stored::trajectory(task, 2)};
    campaign_.config_text = R"({"suite": {"kernelbench": "clone"}})";
    writer.create(campaign_, {task}, trajectories);
    id_ = trajectories.front().id;
    const auto first = stored::candidate(1), second = stored::candidate(2);
    writer.record(stored::ask(id_, 0, 0, &first), first, {});
    writer.record(stored::evaluation(id_, 0, 0,
                                     stored::failed_verdict(task.hash, first.hash, Stage::correctness,
                                                            Reason::wrong_values)),
                  {});
    auto critic = stored::ask(id_, 1, 0, nullptr);
    critic.critic = true;
    critic.status = AnswerStatus::prose;
    writer.record(critic, std::nullopt, {});
    writer.record(stored::ask(id_, 2, 0, &second), second, {});
    writer.record(stored::evaluation(id_, 2, 0, stored::correct_verdict(task.hash, second.hash)), {});
    auto refused = stored::ask(id_, 3, 0, nullptr);
    refused.status = AnswerStatus::budget_exhausted;
    writer.record(refused, std::nullopt, {});
    store::DeviceRecord device{.name = "cpu", .ceilings = {}, .seen_at = 1};
    device.ceilings.bandwidth = 2e10;
    device.ceilings.peaks = {{"fp32", 1e11}};
    writer.record(device, {});
    writer.flush();
  }

  void finish(TrajectoryState state, const std::string& detail = "") {
    store::Writer writer(store_, [](const std::function<void()>& work) { work(); });
    writer.set_state(id_, state, detail, 5, {});
    writer.flush();
  }

  std::vector<ComparedTrajectory> loaded(const store::Reader& reader) const {
    SettingsReader settings;
    return load_trajectories(reader, campaign_, settings);
  }

  stored::Folder folder_;
  store::Store store_;
  store::CampaignRecord campaign_ = stored::campaign();
  store::Id id_ = 0;
};

TEST_F(Loading, ComputesTheTotalsOfTheStore) {
  finish(TrajectoryState::finished);
  const store::Reader reader(store_);
  const auto trajectories = loaded(reader);
  ASSERT_EQ(trajectories.size(), 1u) << "the pending one has not begun";
  const auto& last = trajectories[0].points.back();
  const auto totals = reader.totals(reader.campaigns().front().id);
  EXPECT_EQ(trajectories[0].points.size(), 3u);
  EXPECT_EQ(last.calls, totals.calls);
  EXPECT_EQ(last.calls, 3) << "the critic counts, the refusal does not";
  EXPECT_EQ(last.tokens, totals.tokens.input + totals.tokens.output);
  EXPECT_DOUBLE_EQ(last.usd, totals.usd);
  EXPECT_EQ(last.evaluations, totals.evaluations);
  EXPECT_EQ(last.round, 2);
}

TEST_F(Loading, CountsAnInterruptedCallAndNoCallThatWasNeverSent) {
  {
    store::Writer writer(store_, [](const std::function<void()>& work) { work(); });
    auto broken_off = stored::ask(id_, 4, 0, nullptr);
    broken_off.status = AnswerStatus::cancelled;
    broken_off.llm_status = "cancelled";
    writer.record(broken_off, std::nullopt, {});
    auto never_sent = stored::ask(id_, 5, 0, nullptr);
    never_sent.status = AnswerStatus::cancelled;
    never_sent.llm_status = "";
    writer.record(never_sent, std::nullopt, {});
    const auto third = stored::candidate(3);
    writer.record(stored::ask(id_, 6, 0, &third), third, {});
    auto unjudged = stored::evaluation(id_, 6, 0, {});
    unjudged.status = EvaluationStatus::cancelled;
    unjudged.candidate = third.hash;
    writer.record(unjudged, {});
    writer.flush();
  }
  finish(TrajectoryState::finished);
  const store::Reader reader(store_);
  const auto trajectory = loaded(reader).front();
  const auto totals = reader.totals(reader.campaigns().front().id);
  EXPECT_EQ(trajectory.points.back().calls, 5) << "three before, the one broken off, the one not judged";
  EXPECT_EQ(trajectory.points.back().calls, totals.calls);
  EXPECT_EQ(trajectory.points.back().evaluations, totals.evaluations);
  EXPECT_FALSE(trajectory.points.back().outcome) << "nothing is known of a kernel that was not judged";
  EXPECT_NO_THROW(compare({&reader}, {}));
}

TEST_F(Loading, KeepsTheResultsOfVerdicts) {
  finish(TrajectoryState::finished);
  const store::Reader reader(store_);
  const auto trajectory = loaded(reader).front();
  ASSERT_TRUE(trajectory.points[0].outcome);
  EXPECT_TRUE(trajectory.points[0].outcome->compiled);
  EXPECT_FALSE(trajectory.points[0].outcome->correct);
  EXPECT_TRUE(trajectory.points[0].outcome->judged);
  EXPECT_FALSE(trajectory.points[1].outcome);
  ASSERT_TRUE(trajectory.points[2].outcome);
  EXPECT_NEAR(trajectory.points[2].outcome->speedup, 2, 0.05);
  EXPECT_EQ(trajectory.points[2].outcome->candidate, stored::candidate(2).hash);
  EXPECT_EQ(store::rooflines_of(reader, trajectory.points[2].outcome->evaluation).size(), 2u);
  EXPECT_LT(trajectory.points[2].outcome->speedup_low, trajectory.points[2].outcome->speedup);
  EXPECT_GT(trajectory.points[2].outcome->speedup_high, trajectory.points[2].outcome->speedup);
}

TEST_F(Loading, ComparesABranchInPlaceOfItsOrigin) {
  finish(TrajectoryState::incomplete);
  {
    store::Writer writer(store_, [](const std::function<void()>& work) { work(); });
    auto branch = stored::campaign("branch");
    branch.origin = campaign_.id;
    std::vector trajectories{stored::trajectory(stored::task(), 1)};
    trajectories[0].origin = id_;
    trajectories[0].kept_steps = 2;
    trajectories[0].state = TrajectoryState::finished;
    writer.create(branch, {stored::task()}, trajectories);
  }
  const store::Reader reader(store_);
  const auto comparison = compare({&reader}, {});
  EXPECT_EQ(comparison.campaigns, std::vector<std::string>{"branch"});
  ASSERT_EQ(comparison.strategies.size(), 1u);
  EXPECT_EQ(comparison.strategies[0].incomplete, 0) << "the branch goes on where its origin was cut short";
  EXPECT_EQ(comparison.strategies[0].trajectories, 1);
}

TEST_F(Loading, KeepsTheReasonOfAnUnfinishedTrajectory) {
  using enum TrajectoryState;
  for (const auto& [state, detail, told] :
       {std::tuple{incomplete, "interrupted\nstep 4", "interrupted"},
        std::tuple{failed, "the task's reference raises", "failed: the task's reference raises"},
        std::tuple{incomplete, "", "incomplete"}, std::tuple{running, "waiting for a model", "running"}}) {
    finish(state, detail);
    const store::Reader reader(store_);
    const auto comparison = compare({&reader}, {});
    ASSERT_EQ(comparison.strategies.size(), 1u);
    EXPECT_EQ(comparison.strategies[0].trajectories, 0) << told;
    EXPECT_EQ(comparison.strategies[0].incomplete, 1) << told;
    EXPECT_EQ(comparison.notes.front(), std::string("incomplete: 1 (1 ") + told +
                                            "); trajectories that have not finished are not scored");
  }
}

TEST_F(Loading, KeepsTheCeilingsOfTheRooflines) {
  finish(TrajectoryState::finished);
  {
    store::Writer writer(store_, [](const std::function<void()>& work) { work(); });
    const auto third = stored::candidate(3);
    auto verdict = stored::correct_verdict(stored::task().hash, third.hash);
    verdict.ceilings.emplace();
    verdict.ceilings->device = "a CPU, 1 thread";
    verdict.ceilings->bandwidth = 6e10;
    verdict.ceilings->levels = {{.name = "memory", .bytes = 0, .read = 4e10, .written = 4e10, .both = 6e10}};
    writer.record(stored::ask(id_, 4, 0, &third), third, {});
    writer.record(stored::evaluation(id_, 4, 0, verdict), {});
    writer.flush();
  }
  const store::Reader reader(store_);
  const auto comparison = compare({&reader}, {});
  ASSERT_EQ(comparison.ceilings.size(), 1u);
  EXPECT_EQ(comparison.ceilings[0].bandwidth, 6e10) << "the latest measured";
  EXPECT_EQ(comparison.ceilings[0].levels.at(0).read, 4e10);
}

TEST_F(Loading, ComparesAStore) {
  finish(TrajectoryState::finished);
  const store::Reader reader(store_);
  const auto comparison = compare({&reader}, {});
  EXPECT_EQ(comparison.campaigns, std::vector<std::string>{"quickstart"});
  ASSERT_EQ(comparison.strategies.size(), 1u);
  EXPECT_EQ(comparison.strategies[0].trajectories, 1);
  EXPECT_EQ(comparison.strategies[0].rescued.kernels, 1);
  EXPECT_EQ(comparison.rooflines.size(), 2u);
  ASSERT_EQ(comparison.ceilings.size(), 1u);
  EXPECT_EQ(comparison.ceilings[0].device, "cpu");
  EXPECT_EQ(comparison.notes.back(), "trajectories planned but not begun, not counted: 1");
}

TEST_F(Loading, AStoreThatIsGivenTwiceCountsOnce) {
  finish(TrajectoryState::finished);
  const store::Reader reader(store_), again(store_);
  const auto once = compare({&reader}, {}), twice = compare(Readers{&reader, &again}, {});
  EXPECT_EQ(twice.campaigns, once.campaigns);
  EXPECT_EQ(twice.strategies.at(0).trajectories, 1);
  EXPECT_EQ(twice.strategies[0].calls, once.strategies[0].calls);
  EXPECT_EQ(twice.notes.back(), once.notes.back()) << "the one that has not begun counts once, too";
  EXPECT_TRUE(twice.noise_floors.empty()) << "one evaluation is no repeat of itself";
}

TEST_F(Loading, ACopyFromBeforeABranchCountsNoMoreThanTheStoreItWasCopiedFrom) {
  finish(TrajectoryState::finished);
  std::filesystem::copy_file(folder_.path("store.db"), folder_.path("copy.db"));
  const auto copy = store::Store::open(folder_.path("copy.db"), store::OpenMode::read_only);
  {
    store::Writer writer(store_, [](const std::function<void()>& work) { work(); });
    auto branch = stored::campaign("branch");
    branch.origin = campaign_.id;
    std::vector trajectories{stored::trajectory(stored::task(), 1)};
    trajectories[0].origin = id_;
    trajectories[0].kept_steps = 2;
    trajectories[0].state = TrajectoryState::finished;
    writer.create(branch, {stored::task()}, trajectories);
  }
  const store::Reader reader(store_), early(copy);
  EXPECT_EQ(compare(Readers{&early, &reader}, {}).campaigns, std::vector<std::string>{"branch"});
}

TEST_F(Loading, RefusesTrajectoriesOnBothSidesOfAChange) {
  finish(TrajectoryState::finished);
  const store::Reader reader(store_), again(store_);
  try {
    compare(Readers{&reader}, {}, Readers{&again});
    FAIL() << "expected BadInput";
  } catch (const BadInput& error) {
    EXPECT_NE(std::string(error.what()).find("both sides of --against (campaign quickstart)"),
              std::string::npos);
  }
}

TEST_F(Loading, RefusesAStoreInWhichNothingRanAndSaysWhatToDo) {
  const store::Reader reader(store_);
  try {
    compare({&reader}, {});
    FAIL() << "expected BadInput";
  } catch (const BadInput& error) {
    EXPECT_NE(std::string(error.what()).find("ridgeline run"), std::string::npos);
  }
}

TEST_F(Loading, KeepsTheResultsByKernelBenchsRule) {
  const store::Reader reader(store_);
  const auto trajectory = compared_trajectory_of(reader.trajectories(campaign_.id).front(),
                                                 store::read_figures(reader, campaign_.id));
  ASSERT_EQ(trajectory.points.size(), 3u);
  EXPECT_EQ(trajectory.points[0].outcome->ending, Ending::correctness_issue);
  EXPECT_FALSE(trajectory.points[0].outcome->faithful);
  EXPECT_TRUE(trajectory.points[1].critic);
  const auto& right = *trajectory.points[2].outcome;
  EXPECT_EQ(right.ending, Ending::correct);
  EXPECT_TRUE(right.faithful);
  EXPECT_GT(right.faithful_speedup, 0);
  EXPECT_EQ(right.faithful_speedup, right.speedup);
}

TEST_F(Loading, AddsTorchCompilesSpeedUpsOfTheSameDevice) {
  finish(TrajectoryState::finished);
  store::BaselineRecord one{.task_hash = stored::task().hash,
                            .device = "cpu",
                            .kind = store::BaselineKind::compile,
                            .case_name = "small",
                            .cold = {1e-3, 1e-3, 1e-3, {}, true},
                            .mode = "default",
                            .eager = 2e-3};
  auto other = one, failed = one;
  other.case_name = "large";
  other.cold.median = 4e-3;
  other.eager = 2e-3;
  failed.case_name = "";
  failed.cold.median = 0;
  const auto speedups = compiled_speedups({one, other, failed});
  ASSERT_EQ(speedups.size(), 1u);
  EXPECT_DOUBLE_EQ(speedups.begin()->second.at("default"), 1) << "2 and 1/2";
  {
    store::Writer writer(store_, [](const std::function<void()>& work) { work(); });
    writer.record(one, {});
    one.device = "another";
    one.eager = 100;
    writer.record(one, {});
  }
  const store::Reader reader(store_);
  const auto trajectories = loaded(reader);
  EXPECT_DOUBLE_EQ(trajectories.at(0).points.back().outcome->compiled_references.at("default"), 2);
}

TEST_F(Loading, ScoresASuiteWithTheStandingsOfItsTasks) {
  finish(TrajectoryState::finished);
  const store::Reader reader(store_);
  EXPECT_TRUE(compare({&reader}, {}).suites.empty());
  const auto task = stored::task();
  {
    store::Writer writer(store_, [](const std::function<void()>& work) { work(); });
    writer.keep_suite(campaign_.id,
                      {{"level1/1_a", task.name, "level1", "text", task.hash, Standing::ok, "", {}},
                       {"level1/2_b", "level1_2_b", "level1", "text", "", Standing::broken, "raises", {}}});
  }
  const auto score = compare({&reader}, {}).suites.at(0);
  const auto& level = score.strategies.at(0).levels.at(0);
  EXPECT_EQ(level[0].tasks, 2);
  EXPECT_EQ(level[0].eager.fast[0], 0.5);
  EXPECT_EQ(level[1].tasks, 1);
  EXPECT_EQ(level[1].eager.fast[0], 1);
  EXPECT_EQ(score.apart.at(0).task.reason, "raises");

  std::vector<ScoredSuite> suites;
  campaign_.config_text = "{}";
  add_suite(suites, reader, campaign_);
  EXPECT_TRUE(suites.empty()) << "native tasks have no rule of their own";
}

}  // namespace
}  // namespace ridgeline::compare
