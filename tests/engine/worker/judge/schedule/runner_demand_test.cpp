#include "engine/worker/judge/schedule/runner_demand.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgeline::judge {
namespace {

using testing::ElementsAre;

std::vector<RunnerKind> kinds_ahead(const RunnerDemand& demand) {
  std::vector<RunnerKind> kinds;
  for (const auto& start : demand.start_ahead()) kinds.push_back(start.kind);
  return kinds;
}

TEST(RunnerDemand, ExpectsLibrariesAtFirst) {
  EXPECT_THAT(kinds_ahead(RunnerDemand({.python = true})), ElementsAre(RunnerKind::library));
}

TEST(RunnerDemand, ForgetsLibrariesOnceAnInterpreterIsTaken) {
  RunnerDemand demand({.python = true});
  demand.taken(RunnerKind::python);
  EXPECT_THAT(kinds_ahead(demand), ElementsAre(RunnerKind::python));
  demand.taken(RunnerKind::library);
  EXPECT_THAT(kinds_ahead(demand), ElementsAre(RunnerKind::library));
}

TEST(RunnerDemand, KeepsACountingRunnerBesideTheKindThatItCountsFor) {
  RunnerDemand demand({.opens_device = true, .python = true, .counts = true});
  demand.taken(RunnerKind::library);
  demand.taken(RunnerKind::counting);
  EXPECT_THAT(kinds_ahead(demand), ElementsAre(RunnerKind::library, RunnerKind::counting));
  demand.taken(RunnerKind::library);
  EXPECT_THAT(kinds_ahead(demand), ElementsAre(RunnerKind::library, RunnerKind::counting));
  demand.taken(RunnerKind::python);
  EXPECT_THAT(kinds_ahead(demand), ElementsAre(RunnerKind::python));
}

TEST(RunnerDemand, NeverKeepsAheadAKindThatCannotBeStarted) {
  RunnerDemand demand({});
  const auto start = demand.expect(RunnerKind::python);
  EXPECT_EQ(start.kind, RunnerKind::python) << "whoever asked hears why not";
  EXPECT_THAT(kinds_ahead(demand), ElementsAre(RunnerKind::library));
}

TEST(RunnerDemand, KeepsOneAheadWhereNoDeviceIsOpened) {
  const RunnerDemand demand({.python = true, .cores = 64});
  EXPECT_EQ(demand.start(RunnerKind::library).keep, 1u);
  EXPECT_EQ(demand.start(RunnerKind::python).keep, 1u);
  EXPECT_EQ(demand.start(RunnerKind::python, 2).keep, 2u);
  EXPECT_EQ(demand.start(RunnerKind::python, 2).open, 2u);
}

TEST(RunnerDemand, KeepsInterpretersForADeviceByTheCoresThatImportThem) {
  const auto kept = [](unsigned cores) {
    return RunnerDemand({.opens_device = true, .python = true, .cores = cores})
        .start(RunnerKind::python)
        .keep;
  };
  EXPECT_EQ(kept(2), 4u);
  EXPECT_EQ(kept(12), 6u);
  EXPECT_EQ(kept(128), 8u);
}

TEST(RunnerKind, CountsForTheKindOfTheSameCandidates) {
  EXPECT_EQ(counting_kind(RunnerKind::library), RunnerKind::counting);
  EXPECT_EQ(counting_kind(RunnerKind::python), RunnerKind::python_counting);
  EXPECT_EQ(counting_kind(counting_kind(RunnerKind::python)), RunnerKind::python_counting);
  EXPECT_EQ(runner_kind(Language::cuda), RunnerKind::library);
  EXPECT_EQ(runner_kind(Language::torch), RunnerKind::python);
}

}  // namespace
}  // namespace ridgeline::judge
