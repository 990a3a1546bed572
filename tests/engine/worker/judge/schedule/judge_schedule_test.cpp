#include "engine/worker/judge/schedule/judge_schedule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/worker/judge/schedule/memory_levels.hpp"
#include "tests/engine/worker/judge/schedule/schedule_log.hpp"

namespace ridgeline::judge {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr double kNoDevice = 0;
constexpr RequestFacts kLibrary{};
constexpr RequestFacts kModule{.kind = RunnerKind::python, .module = true};
constexpr RunnersNow kNoRunners{};
constexpr RunnersNow kEnding{.ending = true, .starting_or_ending = true};
constexpr RunnersNow kStarting{.starting_or_ending = true};

JudgeSchedule on_cpu() {
  return JudgeSchedule({.means = {.python = true, .cores = 8}, .starts_disturb = true});
}

JudgeSchedule on_gpu() {
  return JudgeSchedule(
      {.means = {.opens_device = true, .python = true, .counts = true, .cores = 8}, .starts_disturb = false});
}

/// Feeds what a device that nobody uses would answer.
void device_is_idle(JudgeSchedule& schedule) {
  schedule.device_answered(20e-6);
}

// Idle moments.

TEST(JudgeSchedule, StartsTheFirstRunnerBeforeAnyRequest) {
  auto cpu = on_cpu();
  cpu.on_idle(false);
  EXPECT_THAT(log_of(cpu), ElementsAre("give up counting", "end retired", "start library 1, open 1"));
  auto gpu = on_gpu();
  gpu.on_idle(false);
  EXPECT_THAT(log_of(gpu), ElementsAre("give up counting", "end retired", "start library 2, open 1"))
      << "one is used while the next opens the device";
}

TEST(JudgeSchedule, DoesNothingBetweenRequestsWhenTheNextWaits) {
  auto schedule = on_gpu();
  schedule.on_idle(true);
  EXPECT_THAT(log_of(schedule), IsEmpty()) << "the requester would wait for it";
}

TEST(JudgeSchedule, StartsAheadTheKindsThatTheLastCandidateTook) {
  auto schedule = on_gpu();
  schedule.runner_taken(RunnerKind::python);
  schedule.runner_taken(RunnerKind::python_counting);
  schedule.on_idle(false);
  EXPECT_THAT(log_of(schedule), ElementsAre("give up counting", "end retired", "start python 4, open 1",
                                            "start python counting 2, open 1"));
}

// Tests of announcements.

TEST(JudgeSchedule, StartsTwoInterpretersWhenModulesAreAnnounced) {
  auto schedule = on_cpu();
  schedule.modules_announced();
  EXPECT_THAT(log_of(schedule), ElementsAre("start python 2, open 2")) << "a candidate and its reference";
}

TEST(JudgeSchedule, PreparesTheRunnersOfAnAnnouncedModuleAndItsReference) {
  auto schedule = on_gpu();
  schedule.request_announced();
  schedule.prepare(kModule, std::nullopt);
  EXPECT_THAT(log_of(schedule), ElementsAre("start python 4, open 1", "start python 4, open 2"));
  schedule.prepare({.kind = RunnerKind::python, .module = true, .has_reference_runner = true}, std::nullopt);
  EXPECT_THAT(log_of(schedule), ElementsAre("start python 4, open 1")) << "the reference runs already";
}

TEST(JudgeSchedule, PreparesOnlyTheReferenceOfAModuleThatCompiles) {
  auto schedule = on_gpu();
  schedule.request_announced();
  schedule.prepare({.kind = RunnerKind::python, .module = true, .compiles = true}, std::nullopt);
  EXPECT_THAT(log_of(schedule), ElementsAre("start python 4, open 1"))
      << "its own runner may start compilers, and is kept nowhere";
}

TEST(JudgeSchedule, OpensACountedPassAheadOnceARunnerIsAtHand) {
  auto schedule = on_gpu();
  schedule.request_announced();
  schedule.prepare(kLibrary, CountingFacts{});
  EXPECT_THAT(log_of(schedule),
              ElementsAre("start library 2, open 1", "start counting 2, open 1", "find counting at hand"));
  schedule.runner_at_hand();
  EXPECT_THAT(log_of(schedule), ElementsAre("count ahead in counting"));
}

TEST(JudgeSchedule, CountsNothingAheadWhileTheRunnerStillImports) {
  auto schedule = on_gpu();
  schedule.request_announced();
  schedule.prepare(kModule, CountingFacts{.kind = RunnerKind::python_counting});
  EXPECT_THAT(log_of(schedule),
              ElementsAre("start python 4, open 1", "start python 4, open 2",
                          "start python counting 2, open 1", "find python counting at hand"));
  schedule.prepare(kLibrary, std::nullopt);  // no runner was at hand; the next announcement counts nothing
  log_of(schedule);
  schedule.runner_at_hand();
  EXPECT_THAT(log_of(schedule), IsEmpty());
}

TEST(JudgeSchedule, CountsNothingAheadOfAModuleThatWasNeverTimed) {
  auto schedule = on_gpu();
  schedule.prepare(kModule, CountingFacts{.kind = RunnerKind::python_counting, .length_known = false});
  log_of(schedule);
  schedule.runner_at_hand();
  EXPECT_THAT(log_of(schedule), IsEmpty()) << "what is counted depends on how long its calls take";
}

TEST(JudgeSchedule, KeepsWhatItPreparedUntilTheRequestComes) {
  auto schedule = on_gpu();
  EXPECT_FALSE(schedule.announced_wait());
  schedule.request_announced();
  schedule.prepare(kLibrary, CountingFacts{});
  log_of(schedule);
  schedule.on_idle(false);
  EXPECT_THAT(log_of(schedule), ElementsAre("end retired")) << "the open pass stays, and so do the runners";
  EXPECT_TRUE(schedule.announced_wait());
  schedule.request_arrived();
  EXPECT_FALSE(schedule.announced_wait());
  schedule.on_idle(false);
  EXPECT_THAT(log_of(schedule), ElementsAre("give up counting", "end retired", "start library 2, open 1",
                                            "start counting 2, open 1"));
}

TEST(JudgeSchedule, GivesUpWhatItPreparedWhenTheRequestStaysAway) {
  auto schedule = on_gpu();
  schedule.request_announced();
  schedule.on_idle(false);
  log_of(schedule);
  schedule.announced_request_stayed_away();
  EXPECT_THAT(log_of(schedule), ElementsAre("give up counting", "end retired", "start library 2, open 1"));
  EXPECT_FALSE(schedule.announced_wait());
}

// Low memory.

TEST(JudgeSchedule, GivesUpCountingAndWaitsForEndsWhenMemoryIsLow) {
  auto schedule = on_gpu();
  schedule.before_runner_is_taken(little_memory - 1);
  EXPECT_THAT(log_of(schedule), ElementsAre("give up counting", "wait for retired"));
  schedule.before_runner_is_taken(little_memory);
  schedule.before_runner_is_taken(kNoDevice);
  EXPECT_THAT(log_of(schedule), IsEmpty());
}

TEST(JudgeSchedule, WaitsForEndsBeforeItMapsTimingBuffersWhenMemoryIsNotAmple) {
  auto schedule = on_gpu();
  schedule.before_timing_buffers_are_mapped(ample_memory - 1);
  EXPECT_THAT(log_of(schedule), ElementsAre("wait for retired")) << "a runner that ends still maps its own";
  schedule.before_timing_buffers_are_mapped(ample_memory);
  schedule.before_timing_buffers_are_mapped(kNoDevice);
  EXPECT_THAT(log_of(schedule), IsEmpty());
}

// While a candidate is checked.

TEST(JudgeSchedule, OpensTheDeviceForTheReferenceWhileItsModuleIsChecked) {
  auto schedule = on_gpu();
  schedule.on_idle(false);
  log_of(schedule);
  schedule.check_begins(kModule);
  EXPECT_THAT(log_of(schedule), ElementsAre("start python 4, open 1, may fail"));
}

TEST(JudgeSchedule, OpensTheDeviceForTheNextModuleTooWhenItWaits) {
  auto schedule = on_gpu();
  schedule.on_idle(true);
  schedule.check_begins(kModule);
  EXPECT_THAT(log_of(schedule), ElementsAre("start python 4, open 2, may fail"));
  schedule.check_begins({.kind = RunnerKind::python, .module = true, .has_reference_runner = true});
  EXPECT_THAT(log_of(schedule), ElementsAre("start python 4, open 1, may fail")) << "only the next candidate";
}

TEST(JudgeSchedule, OpensTheDeviceForTheNextKernelInAnInterpreterAndForNoReference) {
  auto schedule = on_gpu();
  schedule.on_idle(true);
  schedule.check_begins({.kind = RunnerKind::python});
  EXPECT_THAT(log_of(schedule), ElementsAre("start python 4, open 1, may fail"));
}

TEST(JudgeSchedule, OpensNothingAheadWhereNothingIsGained) {
  auto schedule = on_gpu();
  schedule.on_idle(true);
  schedule.check_begins(kLibrary);
  schedule.check_begins({.kind = RunnerKind::python, .module = true, .timed = false});
  schedule.check_begins({.kind = RunnerKind::python, .module = true, .compiles = true});
  EXPECT_THAT(log_of(schedule), IsEmpty());
  schedule.check_begins({.kind = RunnerKind::python, .module = true, .streaming = true});
  EXPECT_THAT(log_of(schedule), ElementsAre("wait for retired")) << "which may hold the memory it wants";
  auto cpu = on_cpu();
  cpu.on_idle(true);
  cpu.check_begins(kModule);
  EXPECT_THAT(log_of(cpu), IsEmpty()) << "there is no device to open";
}

// Around timing.

TEST(JudgeSchedule, LetsNothingStartOrEndBesideTimingOnACpu) {
  auto schedule = on_cpu();
  schedule.on_idle(true);
  schedule.timing_buffers_mapped(kNoRunners);
  EXPECT_THAT(log_of(schedule), ElementsAre("wait for background work"));
  schedule.request_ended(kLibrary);
  EXPECT_THAT(log_of(schedule), ElementsAre("wait for retired"));
}

TEST(JudgeSchedule, EndsTheLastRunnerAndStartsTheNextBesideTimingOnAGpu) {
  auto schedule = on_gpu();
  schedule.on_idle(true);
  schedule.timing_buffers_mapped(kEnding);
  EXPECT_THAT(log_of(schedule), ElementsAre("end retired", "probe device"));
  device_is_idle(schedule);
  EXPECT_THAT(log_of(schedule), ElementsAre("start library 2, open 1"));
  schedule.request_ended(kLibrary);
  EXPECT_THAT(log_of(schedule), IsEmpty());
}

TEST(JudgeSchedule, WaitsForEndsWhenTheDeviceIsStillBusyWithWhatTheLastCandidateLeft) {
  auto schedule = on_gpu();
  schedule.on_idle(true);
  schedule.timing_buffers_mapped(kEnding);
  log_of(schedule);
  schedule.device_answered(0.003);
  EXPECT_THAT(log_of(schedule), ElementsAre("wait for retired", "start library 2, open 1"));
}

TEST(JudgeSchedule, StartsNothingBesideTimingWhenNoRequestWaits) {
  auto schedule = on_gpu();
  schedule.on_idle(false);
  log_of(schedule);
  schedule.timing_buffers_mapped(kEnding);
  EXPECT_THAT(log_of(schedule), ElementsAre("end retired", "probe device"));
  device_is_idle(schedule);
  schedule.timing_buffers_mapped(kNoRunners);
  EXPECT_THAT(log_of(schedule), IsEmpty()) << "its start comes when the judge is idle";
}

TEST(JudgeSchedule, WaitsUntilNoInterpreterOpensTheDeviceBeforeItTimes) {
  auto schedule = on_gpu();
  schedule.on_idle(true);
  schedule.timing_buffers_mapped({.ending = true, .opening_device = true, .starting_or_ending = true});
  EXPECT_THAT(log_of(schedule), ElementsAre("wait for background work", "start library 2, open 1"))
      << "the wait is for ends too, so the device need not be probed";
}

TEST(JudgeSchedule, WaitsForStartsEndsAndCountingWhereTimesMustBeUndisturbed) {
  auto schedule = on_gpu();
  schedule.undisturbed_timing_begins(kNoRunners, /*counting_opens=*/false);
  EXPECT_THAT(log_of(schedule), IsEmpty());
  schedule.undisturbed_timing_begins(kStarting, false);
  EXPECT_THAT(log_of(schedule), ElementsAre("wait for counting", "wait for background work"));
  schedule.undisturbed_timing_begins(kNoRunners, true);
  EXPECT_THAT(log_of(schedule), ElementsAre("wait for counting", "wait for background work"));
}

TEST(JudgeSchedule, PausesImportsWhileWholeCoresAreWanted) {
  auto schedule = on_gpu();
  schedule.whole_cores_wanted();
  EXPECT_THAT(log_of(schedule), ElementsAre("pause importing"));
  schedule.whole_cores_released();
  EXPECT_THAT(log_of(schedule), ElementsAre("continue importing"));
}

// Ends.

TEST(JudgeSchedule, EndsTheTimedRunnerBesideTheOneThatCounts) {
  auto schedule = on_gpu();
  schedule.counting_begins();
  EXPECT_THAT(log_of(schedule), ElementsAre("end retired"));
}

TEST(JudgeSchedule, WaitsForTheRunnerOfATaskThatMayWantAllOfTheMemory) {
  auto schedule = on_gpu();
  schedule.request_ended({.kind = RunnerKind::python, .module = true, .streaming = true});
  EXPECT_THAT(log_of(schedule), ElementsAre("wait for retired"));
}

TEST(JudgeSchedule, WaitsForTheRunnerWhenTheJudgeFailedUnderARequest) {
  auto schedule = on_gpu();
  schedule.request_failed();
  EXPECT_THAT(log_of(schedule), ElementsAre("wait for retired")) << "it may hold the memory that was lacking";
}

TEST(JudgeSchedule, ThreeCandidatesOnAGpuOneAfterAnother) {
  auto schedule = on_gpu();
  schedule.on_idle(false);
  EXPECT_THAT(log_of(schedule), ElementsAre("give up counting", "end retired", "start library 2, open 1"));
  for (const bool last : {false, false, true}) {
    schedule.request_arrived();
    schedule.before_runner_is_taken(80e9);
    schedule.runner_taken(RunnerKind::library);
    schedule.check_begins(kLibrary);
    schedule.before_timing_buffers_are_mapped(80e9);
    EXPECT_THAT(log_of(schedule), IsEmpty()) << "nobody waits for a start or an end";
    schedule.timing_buffers_mapped(kEnding);
    EXPECT_THAT(log_of(schedule), ElementsAre("end retired", "probe device"));
    device_is_idle(schedule);
    log_of(schedule);
    schedule.request_ended(kLibrary);
    schedule.on_idle(!last);
    if (last)
      EXPECT_THAT(log_of(schedule),
                  ElementsAre("give up counting", "end retired", "start library 2, open 1"));
    else
      EXPECT_THAT(log_of(schedule), IsEmpty());
  }
}

}  // namespace
}  // namespace ridgeline::judge
