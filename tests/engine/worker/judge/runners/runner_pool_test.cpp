// The pool of runners, over runners without processes.
#include "engine/worker/judge/runners/runner_pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/error.hpp"
#include "tests/engine/worker/judge/runners/recording_factory.hpp"

namespace ridgeline::judge {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr auto kLibrary = RunnerKind::library;
constexpr auto kPython = RunnerKind::python;

class RunnerPoolTest : public testing::Test {
 protected:
  RecordingFactory factory_;
  std::vector<RunnerKind> taken_;
  RunnerPool pool_{factory_, [this](RunnerKind kind) { taken_.push_back(kind); }};
};

// Order and exhaustion.

TEST_F(RunnerPoolTest, StartsAsManyAsAreToWait) {
  pool_.start(kLibrary, 2, 1);
  EXPECT_THAT(factory_.log(), ElementsAre("start library 1", "start library 2"));
  pool_.start(kLibrary, 2, 1);
  EXPECT_THAT(factory_.log(), IsEmpty());
  const auto first = pool_.take(kLibrary);
  factory_.log();
  pool_.start(kLibrary, 2, 1);
  EXPECT_THAT(factory_.log(), ElementsAre("start library 3"));
}

TEST_F(RunnerPoolTest, HandsOutRunnersInTheOrderOfTheirStart) {
  pool_.start(kLibrary, 2, 1);
  factory_.log();
  const auto first = pool_.take(kLibrary);
  EXPECT_THAT(factory_.log(), ElementsAre("await library 1", "measure library 1"));
  const auto second = pool_.take(kLibrary);
  EXPECT_THAT(factory_.log(), ElementsAre("await library 2", "measure library 2"));
  EXPECT_THAT(taken_, ElementsAre(kLibrary, kLibrary));
}

TEST_F(RunnerPoolTest, StartsARunnerWhenNoneWaits) {
  const auto runner = pool_.take(kLibrary);
  EXPECT_TRUE(runner->alive());
  EXPECT_THAT(factory_.log(), ElementsAre("start library 1", "await library 1", "measure library 1"));
}

TEST_F(RunnerPoolTest, AwaitsAndMeasuresARunnerOnce) {
  pool_.start(kLibrary, 1, 1);
  pool_.wait_for_background_work();
  EXPECT_THAT(factory_.log(), ElementsAre("start library 1", "await library 1", "measure library 1"));
  const auto runner = pool_.take(kLibrary);
  EXPECT_THAT(factory_.log(), IsEmpty());
}

TEST_F(RunnerPoolTest, RefusesAKindThatThisMachineCannotRun) {
  factory_.missing = kPython;
  EXPECT_THROW(pool_.start(kPython, 1, 1), MachineCannot);
  EXPECT_THROW(pool_.take(kPython), MachineCannot);
  EXPECT_THAT(taken_, IsEmpty()) << "what cannot be taken is in no demand";
}

TEST_F(RunnerPoolTest, SaysSoWhenThereIsNoRoomForAnotherProcess) {
  factory_.no_room = true;
  EXPECT_THROW(pool_.take(kLibrary), MachineCannot);
  factory_.no_room = false;
  EXPECT_TRUE(pool_.take(kLibrary)->alive());
}

// Runners that die or do not come up.

TEST_F(RunnerPoolTest, PassesOverARunnerThatDiedWhileItWaited) {
  pool_.start(kLibrary, 2, 1);
  pool_.wait_for_background_work();
  factory_.log();
  factory_.runner("library 1").alive = false;
  EXPECT_TRUE(pool_.take(kLibrary)->alive()) << "no candidate is to be blamed for it";
  EXPECT_THAT(factory_.log(), IsEmpty()) << "library 2 was up already";
  EXPECT_TRUE(pool_.now().ending);
  pool_.wait_for_retired();
  EXPECT_THAT(factory_.log(), ElementsAre("stop library 1"));
}

TEST_F(RunnerPoolTest, StartsARunnerWhenNoneThatWaitedCameUp) {
  pool_.start(kLibrary, 1, 1);
  factory_.runner("library 1").comes_up = false;
  factory_.log();
  EXPECT_TRUE(pool_.take(kLibrary)->alive());
  EXPECT_THAT(factory_.log(),
              ElementsAre("await library 1", "start library 2", "await library 2", "measure library 2"));
}

TEST_F(RunnerPoolTest, DropsARunnerThatDoesNotComeUpWhileNobodyNeedsIt) {
  pool_.start(kLibrary, 1, 1);
  factory_.runner("library 1").comes_up = false;
  pool_.wait_for_background_work();
  EXPECT_FALSE(pool_.now().starting_or_ending);
  factory_.log();
  pool_.start(kLibrary, 1, 1);
  EXPECT_THAT(factory_.log(), ElementsAre("start library 2"));
}

// Ends.

TEST_F(RunnerPoolTest, KeepsARetiredRunnerUntilItIsToEnd) {
  pool_.retire(pool_.take(kLibrary));
  pool_.retire(nullptr);
  EXPECT_FALSE(factory_.runner("library 1").stopped);
  EXPECT_TRUE(pool_.now().ending);
  pool_.wait_for_retired();
  EXPECT_TRUE(factory_.runner("library 1").stopped);
  EXPECT_FALSE(pool_.now().ending);
}

TEST_F(RunnerPoolTest, EndsEveryRetiredRunnerBeforeItMeasuresAnother) {
  pool_.retire(pool_.take(kLibrary));
  pool_.start(kLibrary, 1, 1);
  factory_.log();
  pool_.wait_for_background_work();
  EXPECT_THAT(factory_.log(), ElementsAre("await library 2", "stop library 1", "measure library 2"))
      << "what an empty batch takes is measured beside nothing else";
}

// The device-open barrier.

TEST_F(RunnerPoolTest, LetsAsManyInterpretersOpenTheDeviceAsAskedAndNoneThatStillImports) {
  pool_.start(kPython, 4, 1);
  factory_.log();
  EXPECT_FALSE(pool_.now().starting_or_ending) << "imports disturb no device";
  factory_.runner("python 2").imported = true;
  factory_.runner("python 3").imported = true;
  factory_.runner("python 4").imported = true;
  pool_.start(kPython, 4, 1);
  EXPECT_THAT(factory_.log(), ElementsAre("open the device for python 2"));
  EXPECT_TRUE(pool_.now().opening_device);
  pool_.start(kPython, 4, 1);
  EXPECT_THAT(factory_.log(), IsEmpty());
  pool_.start(kPython, 4, 2);
  EXPECT_THAT(factory_.log(), ElementsAre("open the device for python 3"));
}

TEST_F(RunnerPoolTest, TakesAnInterpreterThatIsPastItsImportFirst) {
  pool_.start(kPython, 3, 0);
  EXPECT_FALSE(pool_.find_at_hand(kPython));
  factory_.runner("python 2").imported = true;
  EXPECT_TRUE(pool_.find_at_hand(kPython));
  factory_.runner("python 3").imported = factory_.runner("python 3").open = true;
  factory_.log();
  const auto open = pool_.take(kPython);
  EXPECT_THAT(factory_.log(), ElementsAre("await python 3", "measure python 3"));
  const auto imported = pool_.take(kPython);
  EXPECT_THAT(factory_.log(), ElementsAre("await python 2", "measure python 2"));
}

TEST_F(RunnerPoolTest, WaitsForInterpretersThatOpenTheDeviceBeforeItMeasuresARunner) {
  pool_.start(kPython, 2, 0);
  factory_.runner("python 1").imported = true;
  pool_.start(kPython, 2, 1);
  factory_.log();
  const auto library = pool_.take(kLibrary);
  EXPECT_THAT(factory_.log(),
              ElementsAre("await python 1", "start library 3", "await library 3", "measure library 3"))
      << "its first kernels would be seen; python 2 imports, and is not";
}

TEST_F(RunnerPoolTest, LeavesInterpretersAheadOfTheBarrierAloneWhenItWaitsForBackgroundWork) {
  pool_.start(kPython, 2, 0);
  factory_.runner("python 1").imported = true;
  factory_.log();
  pool_.wait_for_background_work();
  EXPECT_THAT(factory_.log(), IsEmpty());
  pool_.start(kPython, 2, 1);
  pool_.wait_for_background_work();
  EXPECT_THAT(factory_.log(),
              ElementsAre("open the device for python 1", "await python 1", "measure python 1"));
  EXPECT_FALSE(pool_.now().opening_device);
}

TEST_F(RunnerPoolTest, PausesOnlyInterpretersThatImport) {
  pool_.start(kPython, 3, 0);
  pool_.start(kLibrary, 1, 1);
  factory_.runner("python 1").imported = true;
  factory_.log();
  auto paused = pool_.pause_importing_runners();
  EXPECT_THAT(factory_.log(), ElementsAre("pause python 2", "pause python 3"));
  paused.clear();
  EXPECT_THAT(factory_.log(), UnorderedElementsAre("continue python 2", "continue python 3"));
}

TEST(RunnerPoolOnACpu, HasNoBarrierAndWaitsForNoOtherRunner) {
  RecordingFactory factory(/*opens_device=*/false);
  RunnerPool pool(factory);
  pool.start(kPython, 2, 2);
  EXPECT_THAT(factory.log(), ElementsAre("start python 1", "start python 2"));
  EXPECT_THAT(pool.pause_importing_runners(), IsEmpty());
  const auto library = pool.take(kLibrary);
  EXPECT_THAT(factory.log(), ElementsAre("start library 3", "await library 3", "measure library 3"));
}

}  // namespace
}  // namespace ridgeline::judge
