// What an answer cost, which diagnosis led to it, and what it earned by a formula.
#include "engine/export/worth.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/core/error.hpp"
#include "engine/core/reward.hpp"
#include "engine/export/reward_formula.hpp"
#include "tests/engine/store/samples.hpp"

namespace ridgeline::exporting {
namespace {

namespace stored = store::samples;
using testing::HasSubstr;

class Worth : public testing::Test {
 protected:
  void attempt(int number, int parent, double seconds, const std::string& feedback) {
    const auto step = static_cast<int>(trajectory.attempts.size());
    const auto candidate = stored::candidate(
        number, parent > 0 ? std::vector{stored::candidate(parent).hash} : std::vector<Hash>{});
    auto ask = stored::ask(1, step, 0, &candidate);
    ask.change = parent > 0 ? stored::candidate(parent).hash : "";
    if (parent > 0) ask.feedback = R"([{"kind":")" + feedback + R"(","about":")" + ask.change + R"("}])";
    auto verdict = stored::correct_verdict("task", candidate.hash, seconds);
    verdict.rooflines[0].seconds = 2 * seconds;  // the first case is the slowest
    verdict.rooflines[0].efficiency = 1e-3 / seconds;
    verdict.rooflines[0].diagnosis = "Memory is the limit.";
    trajectory.attempts.push_back({ask, candidate, stored::evaluation(1, step, 0, verdict)});
  }
  nlohmann::json of_last() {
    const auto edges = edges_of(trajectory);
    return worth_of(task, trajectory, trajectory.attempts.back(), &edges.edges.back());
  }

  TaskTrajectories task;
  ExportedTrajectory trajectory;
};

TEST_F(Worth, ADiagnosisThatLedToAGainWasBorneOut) {
  attempt(1, 0, 4e-3, "");
  attempt(2, 1, 2e-3, "roofline");
  const auto worth = of_last();
  EXPECT_EQ(worth.at("diagnosis"), "Memory is the limit.");
  EXPECT_EQ(worth.at("bound"), "memory");
  EXPECT_EQ(worth.at("borne_out"), "yes");
  EXPECT_NEAR(worth.at("efficiency_before").get<double>(), 0.25, 1e-12);
  EXPECT_NEAR(worth.at("efficiency_after").get<double>(), 0.5, 1e-12);
}

TEST_F(Worth, ADiagnosisWithoutAGainWasNot) {
  attempt(1, 0, 2e-3, "");
  attempt(2, 1, 2e-3, "roofline");
  EXPECT_EQ(of_last().at("borne_out"), "no");
}

TEST_F(Worth, WithoutARooflineInThePromptThereWasNoDiagnosis) {
  attempt(1, 0, 4e-3, "");
  attempt(2, 1, 2e-3, "time");
  const auto worth = of_last();
  for (const auto* column : {"diagnosis", "bound", "borne_out"}) EXPECT_EQ(worth.at(column), "");
  EXPECT_EQ(worth.at("efficiency_after"), 0);
}

TEST_F(Worth, CostIsOfTheRequestAndOfAllUpToIt) {
  attempt(1, 0, 4e-3, "");
  attempt(2, 1, 2e-3, "time");
  attempt(3, 2, 1e-3, "time");
  const auto edges = edges_of(trajectory);
  const auto worth = worth_of(task, trajectory, trajectory.attempts[1], &edges.edges[0]);
  EXPECT_EQ(worth.at("calls"), 2);
  EXPECT_EQ(worth.at("input_tokens"), 1200);
  EXPECT_EQ(worth.at("output_tokens"), 400);
  EXPECT_DOUBLE_EQ(worth.at("usd").get<double>(), 0.0125);
  EXPECT_DOUBLE_EQ(worth.at("usd_so_far").get<double>(), 0.025);
}

TEST(RewardFormula, IsComputedFromWhatIsKept) {
  const auto verdict = stored::correct_verdict("task", "", 1e-3);
  const double speedup = verdict.speedup();
  EXPECT_DOUBLE_EQ(RewardFormula("").of(verdict).value(), reward(verdict).value());
  EXPECT_NEAR(RewardFormula("0.5*correct + log2(speedup)").of(verdict).value(), 0.5 + std::log2(speedup),
              1e-9);
  EXPECT_DOUBLE_EQ(RewardFormula("built + called + 2.5*correct - 10*flagged").of(verdict).value(), 4.5);
  EXPECT_NEAR(RewardFormula("efficiency").of(verdict).value(), 0.4, 1e-9);
  const auto broken = stored::failed_verdict("task", "", Stage::build, Reason::compile_error);
  EXPECT_EQ(RewardFormula("built - 1").of(broken), -1);
}

TEST(RewardFormula, RefusesWhatItCannotCompute) {
  EXPECT_THROW(RewardFormula("speedup +"), BadInput);
  try {
    RewardFormula("speed_up");
    FAIL() << "there is no such symbol";
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("\"speedup\""));
  }
  const auto wrong = stored::failed_verdict("task", "", Stage::correctness, Reason::wrong_values);
  EXPECT_THROW(RewardFormula("log2(speedup)").of(wrong), BadInput) << "minus infinity is no reward";
  auto lost = stored::correct_verdict("task", "", 1e-3);
  lost.at(Stage::call) = {Status::unavailable, Reason::worker_lost, "", 0};
  EXPECT_EQ(RewardFormula("correct").of(lost), std::nullopt);
}

}  // namespace
}  // namespace ridgeline::exporting
