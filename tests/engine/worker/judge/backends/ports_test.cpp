// Tests the ports of both backends as far as they need no GPU: limits of sampling, names of baselines, slots.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/core/error.hpp"
#include "engine/verifier/torch_setup.hpp"
#include "engine/worker/judge/backends/cuda_ports.hpp"
#include "engine/worker/judge/backends/host_ports.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {
namespace {

cuda::DeviceFacts facts_of_a_device() {
  cuda::DeviceFacts facts;
  facts.name = "NVIDIA H200";
  facts.clock = 2e9;
  return facts;
}

TEST(CudaClocks, GiveElapsedTimeFourTimesTheCapAndBatchesOfHalfAMillisecond) {
  const auto facts = facts_of_a_device();
  const CudaClocks clocks(facts);
  const auto limits = clocks.sampling(0.06);
  EXPECT_EQ(limits.cap_seconds, 0.06);
  EXPECT_EQ(limits.elapsed_seconds, 0.24);
  EXPECT_EQ(limits.batch_seconds, 0.6e-3);
  EXPECT_EQ(limits.hot_share, 0.5);
}

TEST(CudaClocks, ReplayGraphsAndAreNotDisturbedByRunnersThatStart) {
  const auto facts = facts_of_a_device();
  const CudaClocks clocks(facts);
  EXPECT_TRUE(clocks.replays_graphs());
  EXPECT_FALSE(clocks.starts_disturb());
}

TEST(CudaReferences, NameABaselineByTheDevice) {
  const auto facts = facts_of_a_device();
  const CudaReferences references(facts, std::nullopt);
  EXPECT_EQ(references.baseline_name(testcase_task("vector_add")),
            fmt::format("eager LibTorch {} on NVIDIA H200, float32", verifier::torch_version()));
}

TEST(CudaReferences, RunNoModulesWithoutAnInterpreter) {
  const auto facts = facts_of_a_device();
  CudaReferences references(facts, std::nullopt);
  EXPECT_FALSE(references.runs_modules());
  EXPECT_THROW(references.make_kernelbench(testcase_task("vector_add")), MachineCannot);
  EXPECT_THROW(references.expect_modules(), MachineCannot);
}

TEST(HostClocks, GiveElapsedTimeTwiceTheCapAndAreDisturbedByRunnersThatStart) {
  const HostClocks clocks;
  EXPECT_EQ(clocks.sampling(0.06).cap_seconds, 0.06);
  EXPECT_EQ(clocks.sampling(0.06).elapsed_seconds, 0.12);
  EXPECT_TRUE(clocks.starts_disturb());
  EXPECT_FALSE(clocks.replays_graphs());
}

TEST(HostReferences, NameABaselineByItsThread) {
  const HostReferences references(std::nullopt);
  EXPECT_EQ(references.baseline_name(testcase_task("vector_add")),
            fmt::format("eager LibTorch {}, 1 thread, float32", verifier::torch_version()));
}

TEST(HostMemory, GivesLongCallsFewerSlotsInMultiplesOfThree) {
  const HostMemory memory;
  const auto task = testcase_task("vector_add");
  const auto slots = [&](double reference_seconds) {
    return memory.timing_slots(task, task.cases.front(), reference_seconds);
  };
  EXPECT_GT(slots(0), 3u) << "nothing is known yet, so a call may be short";
  EXPECT_LE(slots(1e-3), slots(0));
  EXPECT_EQ(slots(10), 3u);
  for (const double seconds : {0.0, 1e-5, 1e-3, 0.1}) EXPECT_EQ(slots(seconds) % 3, 0u) << seconds;
}

TEST(HostTelemetry, HasNoDeviceThatAnswersLateOrBreaks) {
  HostTelemetry telemetry;
  EXPECT_TRUE(telemetry.sound());
  EXPECT_EQ(telemetry.response_seconds(), 0);
  EXPECT_EQ(telemetry.clock_hz(), 0);
  EXPECT_FALSE(telemetry.counting());
  EXPECT_FALSE(telemetry.measured_ceilings()) << "they take a while, so nobody measures them unasked";
}

}  // namespace
}  // namespace ridgeline::judge
