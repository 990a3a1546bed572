#include "engine/compare/across_devices.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/compare/json.hpp"
#include "engine/compare/table.hpp"
#include "tests/engine/compare/trajectories.hpp"

namespace ridgeline::compare {
namespace {

using namespace samples;

/// The kernel `name`, judged on `device`, with an interval of 2 % to either side.
CandidateOutcome kernel(const char* name, const char* device, double speedup) {
  auto made = correct(speedup);
  made.candidate = name;
  made.device = device;
  made.speedup_low = 0.98 * speedup;
  made.speedup_high = 1.02 * speedup;
  return made;
}

/// Kernels of two tasks on two cards; one kernel is known on one card alone.
std::vector<ComparedTrajectory> two_cards() {
  return {trajectory("single", "softmax", {kernel("portable", "A", 2)}),
          trajectory("single", "softmax", {kernel("portable", "B", 2.2)}),
          trajectory("single", "gemm", {kernel("tuned for B", "A", 0.5), kernel("on A alone", "A", 3)}),
          trajectory("single", "gemm", {kernel("tuned for B", "B", 2)})};
}

TEST(AcrossDevices, HoldsEachKernelAgainstItself) {
  const auto found = across_devices(two_cards());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->devices, (std::vector<std::string>{"A", "B"}));
  ASSERT_EQ(found->kernels.size(), 2u) << "a kernel on one card says nothing";
  const auto& worst = found->kernels.front();
  EXPECT_EQ(worst.task, "gemm");
  EXPECT_DOUBLE_EQ(worst.ratio, 4);
  EXPECT_EQ(worst.only_fast_device, 1u);
  EXPECT_DOUBLE_EQ(found->kernels.back().ratio, 1.1);
  EXPECT_EQ(found->kernels.back().only_fast_device, std::nullopt) << "it is fast on both";
  EXPECT_DOUBLE_EQ(found->median_ratio, (4 + 1.1) / 2);
  EXPECT_DOUBLE_EQ(found->mean_ratio.mean, std::sqrt(4 * 1.1));
  EXPECT_DOUBLE_EQ(found->speeds[0].mean, std::sqrt(2 * 0.5));
  EXPECT_DOUBLE_EQ(found->speeds[1].mean, std::sqrt(2.2 * 2));
  EXPECT_EQ(found->only_fast_counts, (std::vector<int>{0, 1}));
}

TEST(AcrossDevices, RepeatsCountByTheirMedianAndMustAllAgree) {
  auto trajectories = two_cards();
  trajectories.push_back(
      trajectory("single", "gemm", {kernel("tuned for B", "B", 1.01), kernel("tuned for B", "B", 3)}));
  const auto found = across_devices(trajectories);
  EXPECT_DOUBLE_EQ(found->kernels.front().by_device[1]->speedup, 2);
  EXPECT_EQ(found->kernels.front().only_fast_device, std::nullopt) << "once its interval held 1";
}

TEST(AcrossDevices, LeavesOutFlaggedKernelsAndOtherTasksOfTheName) {
  auto trajectories = two_cards();
  trajectories[3].points[0].outcome->doubt = "operations over peak";
  EXPECT_EQ(across_devices(trajectories)->kernels.size(), 1u);
  trajectories[1].task_hash = "another softmax";
  EXPECT_FALSE(across_devices(trajectories));
}

TEST(AcrossDevices, EfficiencyIsWeightedByTime) {
  auto trajectories = two_cards();
  trajectories[0].points[0].outcome->rooflines = {{.seconds = 3, .efficiency = 0.8},
                                                  {.seconds = 1, .efficiency = 0.4}};
  const auto found = across_devices(trajectories);
  EXPECT_DOUBLE_EQ(found->kernels.back().by_device[0]->efficiency, 0.7);
  EXPECT_EQ(found->kernels.back().by_device[1]->efficiency, 0);
  const auto read = across_devices(trajectories, [](const auto&, const CandidateOutcome& outcome) {
    return std::vector<Roofline>{{.seconds = 1, .efficiency = outcome.device == "A" ? 0.3 : 0.6}};
  });
  EXPECT_DOUBLE_EQ(read->kernels.back().by_device[0]->efficiency, 0.3);
  EXPECT_DOUBLE_EQ(read->kernels.back().by_device[1]->efficiency, 0.6);
}

TEST(AcrossDevices, IsPrintedAndWritten) {
  const auto comparison = compare(two_cards(), {});
  EXPECT_NE(terminal_table(comparison).find("The same kernels on several devices"), std::string::npos);
  const auto table = across_devices_table(comparison);
  EXPECT_NE(table.find("tuned for B  0.50×  2.00×  4.00×             B"), std::string::npos) << table;
  const auto document = to_json(comparison).at("across_devices");
  EXPECT_EQ(document.at("devices").at(1).at("device"), "B");
  EXPECT_EQ(document.at("kernels").at(0).at("only_fast_device"), 1);
  EXPECT_EQ(document.at("kernels").at(0).at("by_device").at(0).at("speedup"), 0.5);
}

TEST(AcrossDevices, ANoteSaysThatVerdictsAreOfSeveral) {
  const auto text = terminal_table(compare(two_cards(), {}));
  EXPECT_NE(text.find("Note: timed verdicts are of several devices (A: 3, B: 2): a speed-up is over eager"),
            std::string::npos)
      << text;
}

TEST(AcrossDevices, OneDeviceHasNoTableAndNoNote) {
  const auto comparison = compare({trajectory("single", "softmax", {kernel("only", "A", 2)})}, {});
  EXPECT_EQ(terminal_table(comparison).find("verdicts are of several"), std::string::npos);
  EXPECT_EQ(terminal_table(comparison).find("several devices"), std::string::npos);
  EXPECT_NE(across_devices_table(comparison).find("No kernel was timed on two devices"), std::string::npos);
  EXPECT_TRUE(to_json(comparison).at("across_devices").is_null());
}

}  // namespace
}  // namespace ridgeline::compare
