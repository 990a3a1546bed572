// Hardware efficiency by category, and the same tasks in two precisions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/compare/hardware_efficiency.hpp"
#include "engine/compare/json.hpp"
#include "engine/compare/precision_pairs.hpp"
#include "engine/compare/table.hpp"
#include "tests/engine/compare/trajectories.hpp"

namespace ridgeline::compare {
namespace {

using namespace samples;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

CandidateOutcome near_the_roof(double speedup,
                               std::vector<std::pair<double, double>> seconds_and_efficiency) {
  auto outcome = correct(speedup);
  for (const auto& [seconds, efficiency] : seconds_and_efficiency)
    outcome.rooflines.push_back({.case_name = "small", .seconds = seconds, .efficiency = efficiency});
  return outcome;
}

TEST(HardwareEfficiency, WeighsCasesByTimeAndTasksEqually) {
  auto twice = trajectory("loop", "gemm", {near_the_roof(2, {{1, 0.5}})}, "MatMul");
  twice.seed = 1;
  const auto comparison = compare({trajectory("loop", "abs", {near_the_roof(2, {{3, 0.8}, {1, 0.4}})}),
                                   trajectory("loop", "gemm", {near_the_roof(2, {{1, 1.1}})}, "MatMul"),
                                   twice, trajectory("single", "abs", {wrong()})},
                                  {});
  const auto rows = hardware_efficiencies(comparison);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].all.tasks, 2);
  EXPECT_NEAR(rows[0].all.mean, (0.7 + 0.8) / 2, 1e-12);
  EXPECT_NEAR(rows[0].all.highest, 1.1, 1e-12);
  EXPECT_EQ(rows[0].all.over_roof, 1);
  ASSERT_EQ(comparison.categories, (std::vector<std::string>{"MatMul", "Math"}));
  EXPECT_NEAR(rows[0].by_category[0].mean, 0.8, 1e-12) << "two trajectories are one task";
  EXPECT_NEAR(rows[0].by_category[1].mean, 0.7, 1e-12) << "3 s of 0.8 and 1 s of 0.4";
  EXPECT_EQ(rows[1].all.tasks, 0);
  const auto text = terminal_table(comparison);
  EXPECT_THAT(text, HasSubstr("75% of 2, at most 110%, 1 over"));
  const auto document = to_json(comparison).at("efficiencies");
  EXPECT_EQ(document.at(0).at("all").at("over_roof"), 1);
  EXPECT_EQ(document.at(0).at("categories").size(), 2U);
}

TEST(HardwareEfficiency, FlaggedKernelsAreNotInIt) {
  auto doubtful = flagged(9);
  doubtful.rooflines = {{.case_name = "small", .seconds = 1, .efficiency = 3}};
  EXPECT_THAT(
      hardware_efficiencies(compare({trajectory("loop", "abs", {doubtful})}, {.include_flagged = true})),
      IsEmpty());
}

TEST(HardwareEfficiency, WithoutRooflinesThereIsNoTable) {
  const auto comparison = compare({trajectory("loop", "abs", {correct(2)})}, {});
  EXPECT_THAT(hardware_efficiencies(comparison), IsEmpty());
  EXPECT_THAT(terminal_table(comparison), Not(HasSubstr("Hardware efficiency")));
}

TEST(PrecisionPairs, CountTasksOfWhichOnePrecisionAloneIsSolved) {
  std::vector<ComparedTrajectory> trajectories;
  for (const char* name : {"gelu", "relu", "tanh", "silu", "elu", "selu"}) {
    trajectories.push_back(trajectory("loop", name, {correct(2)}));
    trajectories.push_back(trajectory("loop", std::string(name) + "_bf16", {wrong()}));
  }
  trajectories.push_back(trajectory("loop", "Math_matmul", {correct(2)}));
  trajectories.push_back(trajectory("loop", "Quantization_matmul_w8a8", {correct(2)}, "Quantization"));
  trajectories.push_back(trajectory("loop", "alone_fp16", {correct(2)}));
  trajectories.push_back(trajectory("single", "gelu", {wrong()}));
  const auto comparison = compare(trajectories, {});
  const auto rows = precision_pairs(comparison);
  ASSERT_EQ(rows.size(), 2U) << "the other strategy tried no pair, and fp16 has none";
  EXPECT_EQ(rows[0].precision, "bf16");
  EXPECT_EQ(rows[0].tasks, 6);
  EXPECT_EQ(rows[0].plain, 1);
  EXPECT_EQ(rows[0].narrow, 0);
  EXPECT_EQ(rows[0].more_plain, 6);
  EXPECT_EQ(rows[0].more_narrow, 0);
  EXPECT_NEAR(rows[0].p, 2.0 / 64, 1e-12);
  EXPECT_NEAR(rows[0].p_holm, 4.0 / 64, 1e-12) << "over two rows";
  EXPECT_EQ(rows[1].precision, "w8a8");
  EXPECT_EQ(rows[1].tasks, 1);
  EXPECT_EQ(rows[1].p, 1);
  EXPECT_THAT(terminal_table(comparison), HasSubstr("The same tasks in two precisions"));
  EXPECT_EQ(to_json(comparison).at("precisions").at(0).at("more_plain"), 6);
}

TEST(PrecisionPairs, WithoutPairsThereIsNoTable) {
  EXPECT_THAT(terminal_table(samples::two_strategies()), Not(HasSubstr("two precisions")));
  EXPECT_THAT(to_json(samples::two_strategies()).at("precisions"), IsEmpty());
}

}  // namespace
}  // namespace ridgeline::compare
