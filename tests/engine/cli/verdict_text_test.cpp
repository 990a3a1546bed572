#include "engine/cli/verdict_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/counters.hpp"

namespace ridgeline::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST(VerdictText, ShowsDiagnosisAndEachLaunchOfACountedCall) {
  Verdict verdict;
  for (auto& stage : verdict.stages) stage.status = Status::passed;
  Roofline roofline;
  roofline.case_name = "gpu";
  roofline.diagnosis = "Memory-bound at 1.8x the roofline's least time.";
  verdict.rooflines = {roofline};
  EXPECT_THAT(verdict_text(verdict, {}, {}), Not(HasSubstr("registers")));
  KernelLaunch launch;
  launch.case_name = "gpu";
  launch.kernel = "sum_rows";
  launch.grid = {64, 2, 1};
  launch.block = {1024, 1, 1};
  launch.registers = 40;
  launch.seconds = 209.7e-6;
  launch.achieved_occupancy = 0.5;
  launch.theoretical_occupancy = 0.75;
  launch.limit = OccupancyLimit::registers;
  KernelLaunch graph;
  graph.case_name = "gpu";
  verdict.launches = {launch, graph};
  const auto text = verdict_text(verdict, {}, {});
  EXPECT_THAT(text, HasSubstr("gpu: Memory-bound at 1.8x the roofline's least time."));
  EXPECT_THAT(text, ContainsRegex("gpu +sum_rows +.* +128 +1024 +40 .* 50 % +75 % by registers"));
  EXPECT_THAT(text, HasSubstr("(a graph)"));
}

TEST(VerdictText, ShowsTheKernelsOwnTimeBesideTheCalls) {
  Verdict verdict;
  for (auto& stage : verdict.stages) stage.status = Status::passed;
  Roofline roofline;
  roofline.case_name = "gpu_cached";
  roofline.seconds = 14.6e-6;
  verdict.rooflines = {roofline};
  EXPECT_THAT(verdict_text(verdict, {}, {}), Not(HasSubstr("own time")));
  verdict.rooflines[0].counters = {{std::string(counter::kernel_seconds), 12.3e-6, Source::cupti}};
  EXPECT_THAT(verdict_text(verdict, {}, {}),
              HasSubstr("gpu_cached: kernel's own time 12.3 us, claimed (call 14.6 us)\n"));
}

TEST(VerdictText, ShowsReplayedTimesAndEnergyWhereADeviceHasThem) {
  Verdict verdict;
  for (auto& stage : verdict.stages) stage.status = Status::passed;
  auto& one = verdict.timing.emplace().cases.emplace_back();
  one.case_name = "gpu_cached";
  one.cold.median = 9e-6;
  one.hot.median = 7e-6;
  EXPECT_THAT(verdict_text(verdict, {}, {}), Not(ContainsRegex("replayed|energy")));
  one.replayed.median = 6e-6;
  one.energy = 4e-3;
  one.energy_above_idle = 3e-3;
  const auto text = verdict_text(verdict, {}, {});
  EXPECT_THAT(text, ContainsRegex("case +cold +hot +replayed +baseline"));
  EXPECT_THAT(text, HasSubstr("hot and replayed times are claimed and do not score"));
  EXPECT_THAT(text, ContainsRegex("gpu_cached +9[^ ]* .*7[^ ]* .*6[^ ]* .* 4 mJ \\(75 %\\)"));
  verdict.timing->cases.front().energy = 2.5;
  EXPECT_THAT(verdict_text(verdict, {}, {}), ContainsRegex(" 2500 mJ "));
}

TEST(VerdictText, SaysThatTheMachineFailedAndWhetherAskingAgainHelps) {
  Verdict verdict;
  verdict.at(Stage::build) = {Status::unavailable, Reason::worker_lost, "it died twice", 0};
  const auto lost = verdict_text(verdict, {}, {});
  EXPECT_THAT(lost, HasSubstr("could not be judged at build: worker_lost: it died twice"));
  EXPECT_THAT(lost, HasSubstr("No score: the machine failed here, not the kernel."));
  verdict.at(Stage::build) = {Status::unavailable, Reason::unsupported, "no such language", 0};
  EXPECT_THAT(verdict_text(verdict, {}, {}), HasSubstr("asking it again will not help"));
  verdict.at(Stage::build) = {Status::failed, Reason::compile_error, "kernel.cpp:1: error: x", 0};
  EXPECT_THAT(verdict_text(verdict, {}, {}), Not(HasSubstr("No score")));
}

}  // namespace
}  // namespace ridgeline::cli
