#include "engine/worker/agent/scheduler.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgeline::agent {
namespace {

using testing::ElementsAre;

/// Actions as short text, so that a test reads like a log.
std::vector<std::string> log(Scheduler& scheduler) {
  std::vector<std::string> lines;
  for (const auto& action : scheduler.take_actions()) {
    if (const auto* build = std::get_if<StartBuild>(&action)) lines.push_back("build " + build->build);
    if (const auto* measure = std::get_if<StartMeasure>(&action))
      lines.push_back("measure " + measure->id + " on " + std::to_string(measure->device));
    if (const auto* prepare = std::get_if<StartPrepare>(&action))
      lines.push_back("prepare for " + prepare->id + " on " + std::to_string(prepare->device));
    if (const auto* expect = std::get_if<AnnounceModules>(&action))
      lines.push_back("expect modules on " + std::to_string(expect->device));
    if (const auto* judge = std::get_if<StartJudge>(&action))
      lines.push_back("judge " + std::to_string(judge->device) + (judge->delay > 0 ? " later" : ""));
    if (const auto* finish = std::get_if<Finish>(&action)) {
      const char* const endings[] = {"build_failed", "measured", "judge_failed", "no_device"};
      lines.push_back("finish " + finish->id + " " + endings[static_cast<int>(finish->ending)]);
    }
  }
  return lines;
}

Scheduler ready_scheduler(SchedulerSettings settings = {}) {
  Scheduler scheduler(settings);
  scheduler.take_actions();
  for (std::size_t i = 0; i < settings.devices.size(); ++i) scheduler.judge_ready(static_cast<int>(i));
  return scheduler;
}

TEST(Scheduler, StartsEveryJudgeFirst) {
  Scheduler scheduler({.devices = {"cpu", "cuda"}});
  EXPECT_THAT(log(scheduler), ElementsAre("judge 0", "judge 1"));
}

TEST(Scheduler, BuildsOneCandidateWhileAnotherIsMeasured) {
  auto scheduler = ready_scheduler();
  scheduler.submit({"a", "A", "cpu"});
  scheduler.submit({"b", "B", "cpu"});
  EXPECT_THAT(log(scheduler), ElementsAre("build A"));
  scheduler.build_ended("A", true);
  EXPECT_THAT(log(scheduler), ElementsAre("measure a on 0", "build B"));
  scheduler.build_ended("B", true);
  EXPECT_THAT(log(scheduler), ElementsAre()) << "the device measures one at a time";
  scheduler.judge_answered(0);
  EXPECT_THAT(log(scheduler), ElementsAre("finish a measured", "measure b on 0"));
  scheduler.judge_answered(0);
  EXPECT_THAT(log(scheduler), ElementsAre("finish b measured"));
  EXPECT_EQ(scheduler.in_flight(), 0u);
}

TEST(Scheduler, AnIdleJudgePreparesForWhatIsBeingBuilt) {
  auto scheduler = ready_scheduler({.builders = 2, .devices = {"cpu", "cuda"}, .prepares = true});
  scheduler.submit({"a", "A", "cuda"});
  EXPECT_THAT(log(scheduler), ElementsAre("build A", "prepare for a on 1"));
  scheduler.build_ended("A", true);
  EXPECT_THAT(log(scheduler), ElementsAre()) << "it is asked one thing at a time";
  scheduler.judge_answered(1);
  EXPECT_THAT(log(scheduler), ElementsAre("measure a on 1"));
  scheduler.submit({"b", "B", "cuda"});
  EXPECT_THAT(log(scheduler), ElementsAre("build B"));
  scheduler.judge_answered(1);
  EXPECT_THAT(log(scheduler), ElementsAre("finish a measured", "prepare for b on 1"));
}

TEST(Scheduler, AnnouncesModulesOnceToEachIdleJudgeOfTheBackend) {
  auto scheduler = ready_scheduler({.devices = {"cpu", "cuda"}});
  scheduler.submit({"a", "", "cuda"});
  scheduler.expect_modules("cuda");
  EXPECT_THAT(log(scheduler), ElementsAre("measure a on 1")) << "what is there comes first";
  scheduler.judge_answered(1);
  EXPECT_THAT(log(scheduler), ElementsAre("finish a measured", "expect modules on 1"));
  scheduler.submit({"b", "", "cuda"});
  EXPECT_THAT(log(scheduler), ElementsAre()) << "it is being told";
  scheduler.judge_answered(1);
  EXPECT_THAT(log(scheduler), ElementsAre("measure b on 1"));
}

TEST(Scheduler, ALaterPreparationDoesNotDisplaceTheFirst) {
  auto scheduler = ready_scheduler({.builders = 2, .prepares = true});
  scheduler.submit({"a", "A", "cpu"});
  scheduler.submit({"b", "B", "cpu"});
  EXPECT_THAT(log(scheduler), ElementsAre("build A", "build B", "prepare for a on 0"));
  scheduler.judge_answered(0);
  EXPECT_THAT(log(scheduler), ElementsAre());
}

TEST(Scheduler, AJudgeLostWhilePreparingIsNoRequestsFault) {
  auto scheduler = ready_scheduler({.prepares = true});
  scheduler.submit({"a", "A", "cpu"});
  log(scheduler);
  scheduler.judge_lost(0);
  EXPECT_THAT(log(scheduler), ElementsAre("judge 0 later"));
  scheduler.build_ended("A", true);
  scheduler.judge_ready(0);
  EXPECT_THAT(log(scheduler), ElementsAre("measure a on 0"));
  scheduler.judge_lost(0);
  scheduler.judge_ready(0);
  EXPECT_THAT(log(scheduler), ElementsAre("judge 0 later", "measure a on 0")) << "its first loss";
}

TEST(Scheduler, GivesUpAJudgeThatOnlySucceedsInPreparing) {
  auto scheduler = ready_scheduler({.prepares = true, .judge_retries = 0, .judge_failures = 3});
  for (int death = 1; death <= 3; ++death) {
    const auto id = std::to_string(death);
    scheduler.submit({id, "B" + id, "cpu"});
    EXPECT_THAT(log(scheduler), ElementsAre("build B" + id, "prepare for " + id + " on 0"));
    scheduler.judge_answered(0);  // it is ready
    scheduler.build_ended("B" + id, true);
    EXPECT_THAT(log(scheduler), ElementsAre("measure " + id + " on 0"));
    scheduler.judge_lost(0);
    const auto after = log(scheduler);
    if (death < 3)
      EXPECT_THAT(after, ElementsAre("judge 0 later", "finish " + id + " judge_failed"));
    else
      EXPECT_THAT(after, ElementsAre("finish " + id + " judge_failed"));
    scheduler.judge_ready(0);
  }
}

TEST(Scheduler, AFailedBuildEndsTheRequestWithoutADevice) {
  auto scheduler = ready_scheduler();
  scheduler.submit({"a", "A", "cpu"});
  log(scheduler);
  scheduler.build_ended("A", false);
  EXPECT_THAT(log(scheduler), ElementsAre("finish a build_failed"));
}

TEST(Scheduler, NeverRunsMoreBuildsThanBuildersNorFurtherAheadThanAllowed) {
  auto scheduler = ready_scheduler({.builders = 2, .built_ahead = 3});
  for (const char* name : {"a", "b", "c", "d", "e"}) scheduler.submit({name, std::string("B") + name, "cpu"});
  EXPECT_THAT(log(scheduler), ElementsAre("build Ba", "build Bb"));
  scheduler.build_ended("Ba", true);
  EXPECT_THAT(log(scheduler), ElementsAre("measure a on 0", "build Bc"));
  scheduler.build_ended("Bb", true);
  EXPECT_THAT(log(scheduler), ElementsAre("build Bd"));
  scheduler.build_ended("Bc", true);
  scheduler.build_ended("Bd", true);
  EXPECT_THAT(log(scheduler), ElementsAre()) << "b, c and d wait built: three ahead";
  scheduler.judge_answered(0);
  EXPECT_THAT(log(scheduler), ElementsAre("finish a measured", "measure b on 0", "build Be"));
}

TEST(Scheduler, RequestsWithTheSameBuildShareIt) {
  auto scheduler = ready_scheduler({.builders = 4});
  scheduler.submit({"a", "A", "cpu"});
  scheduler.submit({"a2", "A", "cpu"});
  EXPECT_THAT(log(scheduler), ElementsAre("build A"));
  scheduler.build_ended("A", true);
  EXPECT_THAT(log(scheduler), ElementsAre("measure a on 0"));
  scheduler.judge_answered(0);
  EXPECT_THAT(log(scheduler), ElementsAre("finish a measured", "measure a2 on 0"));
}

TEST(Scheduler, RefusesASecondRequestWithAnIdInFlight) {
  auto scheduler = ready_scheduler();
  EXPECT_TRUE(scheduler.submit({"a", "A", "cpu"}));
  EXPECT_FALSE(scheduler.submit({"a", "B", "cpu"}));
  EXPECT_THAT(log(scheduler), ElementsAre("build A"));
}

TEST(Scheduler, ARequestWithoutABuildIsMeasuredAtOnce) {
  auto scheduler = ready_scheduler();
  scheduler.submit({"check", "", "cpu"});
  EXPECT_THAT(log(scheduler), ElementsAre("measure check on 0"));
}

TEST(Scheduler, DevicesOfOneBackendMeasureConcurrently) {
  auto scheduler = ready_scheduler({.builders = 3, .devices = {"cpu", "cuda", "cuda"}});
  scheduler.submit({"g1", "", "cuda"});
  scheduler.submit({"g2", "", "cuda"});
  scheduler.submit({"g3", "", "cuda"});
  scheduler.submit({"c1", "", "cpu"});
  EXPECT_THAT(log(scheduler), ElementsAre("measure c1 on 0", "measure g1 on 1", "measure g2 on 2"));
  scheduler.judge_answered(2);
  EXPECT_THAT(log(scheduler), ElementsAre("finish g2 measured", "measure g3 on 2"));
}

TEST(Scheduler, RestartsADeadJudgeAndRepeatsItsRequestFirst) {
  auto scheduler = ready_scheduler();
  scheduler.submit({"a", "", "cpu"});
  scheduler.submit({"b", "", "cpu"});
  log(scheduler);
  scheduler.judge_lost(0);
  EXPECT_THAT(log(scheduler), ElementsAre("judge 0 later"));
  scheduler.judge_ready(0);
  EXPECT_THAT(log(scheduler), ElementsAre("measure a on 0"));
  scheduler.judge_lost(0);
  EXPECT_THAT(log(scheduler), ElementsAre("judge 0 later", "finish a judge_failed"));
  scheduler.judge_ready(0);
  EXPECT_THAT(log(scheduler), ElementsAre("measure b on 0")) << "the rest go on";
}

TEST(Scheduler, AMeasurementResetsTheCountOfDeaths) {
  auto scheduler = ready_scheduler({.judge_failures = 2});
  for (int i = 0; i < 5; ++i) {
    scheduler.submit({"a" + std::to_string(i), "", "cpu"});
    log(scheduler);
    scheduler.judge_lost(0);
    scheduler.judge_ready(0);
    log(scheduler);
    scheduler.judge_answered(0);
    EXPECT_THAT(log(scheduler), ElementsAre("finish a" + std::to_string(i) + " measured"));
  }
}

TEST(Scheduler, AJudgeThatCannotBeStartedEndsPresentAndLaterRequests) {
  auto scheduler = ready_scheduler({.judge_failures = 2});
  scheduler.submit({"a", "A", "cpu"});
  scheduler.submit({"b", "", "cpu"});
  EXPECT_THAT(log(scheduler), ElementsAre("measure b on 0", "build A"));
  scheduler.judge_lost(0);
  EXPECT_THAT(log(scheduler), ElementsAre("judge 0 later"));
  scheduler.judge_lost(0);
  EXPECT_THAT(log(scheduler), ElementsAre("finish b no_device"));
  scheduler.build_ended("A", true);
  EXPECT_THAT(log(scheduler), ElementsAre("finish a no_device"));
  scheduler.submit({"c", "C", "cpu"});
  EXPECT_THAT(log(scheduler), ElementsAre("finish c no_device"));
}

TEST(Scheduler, BuildsWithoutADeviceForTheCompileErrors) {
  auto scheduler = ready_scheduler();
  scheduler.submit({"a", "A", "cuda"});
  EXPECT_THAT(log(scheduler), ElementsAre("build A"));
  scheduler.build_ended("A", true);
  EXPECT_THAT(log(scheduler), ElementsAre("finish a no_device"));
  scheduler.submit({"b", "B", "cuda"});
  EXPECT_THAT(log(scheduler), ElementsAre("build B"));
  scheduler.build_ended("B", false);
  EXPECT_THAT(log(scheduler), ElementsAre("finish b build_failed"));
  scheduler.submit({"c", "", "cuda"});
  EXPECT_THAT(log(scheduler), ElementsAre("finish c no_device")) << "nothing to build, nothing to do";
}

TEST(Scheduler, GivingUpAJudgeEndsNoRequestOfAnotherBackend) {
  auto scheduler = ready_scheduler({.judge_failures = 1});
  scheduler.submit({"a", "A", "cuda"});
  scheduler.submit({"b", "B", "cuda"});
  scheduler.submit({"c", "C", "cpu"});
  EXPECT_THAT(log(scheduler), ElementsAre("build A"));
  scheduler.judge_lost(0);
  EXPECT_THAT(log(scheduler), ElementsAre("finish c no_device"));
  scheduler.build_ended("A", true);
  EXPECT_THAT(log(scheduler), ElementsAre("finish a no_device", "build B"));
}

TEST(Scheduler, ACancelledRequestIsNeverAnswered) {
  auto scheduler = ready_scheduler();
  scheduler.submit({"measuring", "", "cpu"});
  scheduler.submit({"building", "B", "cpu"});
  scheduler.submit({"waiting", "W", "cpu"});
  EXPECT_THAT(log(scheduler), ElementsAre("measure measuring on 0", "build B"));
  for (const char* id : {"measuring", "building", "waiting", "unknown"}) scheduler.cancel(id);
  EXPECT_EQ(scheduler.in_flight(), 0u);
  scheduler.build_ended("B", true);
  scheduler.submit({"next", "", "cpu"});
  EXPECT_THAT(log(scheduler), ElementsAre()) << "the device is busy until its judge has answered";
  scheduler.judge_answered(0);
  EXPECT_THAT(log(scheduler), ElementsAre("measure next on 0"));
}

TEST(Scheduler, ACancelledRequestIsNotRetriedWhenItsJudgeDies) {
  auto scheduler = ready_scheduler();
  scheduler.submit({"a", "", "cpu"});
  log(scheduler);
  scheduler.cancel("a");
  scheduler.judge_lost(0);
  EXPECT_THAT(log(scheduler), ElementsAre("judge 0 later"));
  scheduler.judge_ready(0);
  EXPECT_THAT(log(scheduler), ElementsAre());
}

}  // namespace
}  // namespace ridgeline::agent
