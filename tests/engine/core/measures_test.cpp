#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "engine/core/hash.hpp"
#include "engine/core/roofline.hpp"
#include "engine/core/signature.hpp"
#include "engine/core/statistics.hpp"
#include "engine/core/timing.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline {
namespace {

TEST(Hash, IsSha256) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_NE(sha256_of({"ab", "c"}), sha256_of({"a", "bc"}));
}

TEST(Statistics, QuantilesInterpolate) {
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(quantile({1, 2, 3, 4, 5}, 0.25), 2);
  EXPECT_EQ(quantile({}, 0.5), 0);
  EXPECT_NEAR(geometric_mean(std::vector<double>{1, 4, 16}), 4, 1e-12);
}

TEST(Statistics, TheMedianIntervalCoversTheMedianAbout95TimesIn100) {
  Random random(7);
  int covered = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<double> sample(31);
    for (double& x : sample) x = random.uniform();
    const auto interval = median_interval(sample);
    covered += interval.low <= 0.5 && 0.5 <= interval.high;
  }
  EXPECT_GT(covered, 1860);
  EXPECT_LT(covered, 1990);
}

TEST(Statistics, TheMedianIntervalIsNeverNarrowerThanItSays) {
  // At most one of eight falls below with a chance of 9/256, of nine with 10/512, at most five of 21 with 1.3
  // %.
  const auto of = [](int count) {
    std::vector<double> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), 0);
    return median_interval(values);
  };
  EXPECT_EQ(of(8).low, 0);
  EXPECT_EQ(of(9).low, 1);
  EXPECT_EQ(of(9).high, 7);
  EXPECT_EQ(of(21).low, 5);
  EXPECT_EQ(of(21).high, 15);
}

TEST(Statistics, TheMedianIntervalOfThousandsOfValuesIsFound) {
  // 0.5^1075 is 0: a judge that had sampled so many pairs never answered.
  for (const int count : {1074, 1075, 5000, 100000}) {
    std::vector<double> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), 0);
    const auto interval = median_interval(values);
    EXPECT_NEAR(interval.low, count / 2.0 - 0.98 * std::sqrt(count), 2) << count;
    EXPECT_EQ(interval.high, count - 1 - interval.low);
  }
}

TEST(Statistics, TheMedianIntervalWidensWithConfidence) {
  std::vector<double> values;
  for (int i = 0; i < 20; ++i) values.push_back(i);
  const auto usual = median_interval(values), sure = median_interval(values, 0.999);
  EXPECT_EQ(usual.low, median_interval(values, 0.95).low);
  EXPECT_EQ(usual.low, 5) << "20 values: order statistics 6 and 15";
  EXPECT_EQ(sure.low, 2);
  EXPECT_EQ(sure.high, 17);
  EXPECT_FALSE(has_median_interval(5, 0.95));
  EXPECT_TRUE(has_median_interval(6, 0.95));
  EXPECT_FALSE(has_median_interval(10, 0.999)) << "2 * 0.5^10 > 0.001";
  EXPECT_TRUE(has_median_interval(11, 0.999));
}

TEST(Statistics, PassAtKIsTheUnbiasedEstimate) {
  EXPECT_NEAR(pass_at_k(10, 3, 1), 0.3, 1e-12);
  EXPECT_EQ(pass_at_k(10, 0, 5), 0);
  EXPECT_EQ(pass_at_k(10, 10, 5), 1);
  EXPECT_EQ(pass_at_k(5, 1, 5), 1);
  EXPECT_EQ(pass_at_k(4, 3, 2), 1) << "two of four hold a right one whenever one is wrong";
  EXPECT_NEAR(pass_at_k(10, 3, 5), 1 - 21.0 / 252, 1e-12) << "1 - C(7,5)/C(10,5)";
  EXPECT_NEAR(pass_at_k(200, 1, 100), 0.5, 1e-12) << "no binomial overflows";
}

TEST(Timing, ScoresByTheGeometricMeanAndWidensByBothIntervals) {
  Timing timing;
  timing.cases.push_back(
      {.case_name = "a", .cold = {1, 0.5, 2, {}, true}, .baseline_cold = {4, 4, 4, {}, true}});
  timing.cases.push_back(
      {.case_name = "b", .cold = {1, 1, 1, {}, true}, .baseline_cold = {1, 1, 1, {}, true}});
  score(timing);
  EXPECT_DOUBLE_EQ(timing.speedup, 2);
  EXPECT_DOUBLE_EQ(timing.speedup_low, std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(timing.speedup_high, std::sqrt(8.0));
}

Ceilings small_machine() {
  Ceilings c;
  c.bandwidth = 10e9;
  c.cache_bytes = 32e6;
  c.peaks = {{"fp32", 100e9}, {"fp64", 50e9}};
  return c;
}

TEST(Roofline, PicksTheNearerRoof) {
  const auto memory = place_on_roofline(small_machine(), DType::float32, 10e9, 1e9, 2);
  EXPECT_EQ(memory.bound, Bound::memory);
  EXPECT_DOUBLE_EQ(memory.bandwidth_share, 0.5);
  EXPECT_DOUBLE_EQ(memory.roof_seconds, 1);
  const auto compute = place_on_roofline(small_machine(), DType::float64, 1e9, 50e9, 1.25);
  EXPECT_EQ(compute.bound, Bound::compute);
  EXPECT_DOUBLE_EQ(compute.efficiency, 0.8);
  const auto neither = place_on_roofline(small_machine(), DType::float32, 1e6, 1e6, 1);
  EXPECT_EQ(neither.bound, Bound::latency);
}

TEST(Roofline, GivesOperandsThatFitTheCacheNoFloor) {
  EXPECT_EQ(physics_floor(small_machine(), 30e6, 10e9), 0);
  EXPECT_DOUBLE_EQ(physics_floor(small_machine(), 42e6, 10e9), 1e-3);
}

TEST(Verdict, IsCorrectOnlyWhenNothingExposedIt) {
  Verdict verdict;
  for (const auto stage : {Stage::build, Stage::call, Stage::correctness})
    verdict.at(stage).status = Status::passed;
  EXPECT_TRUE(verdict.correct());
  EXPECT_EQ(verdict.failed_at(), Stage::timing);
  verdict.at(Stage::timing) = {Status::failed, Reason::wrong_when_timed, "", 0};
  EXPECT_FALSE(verdict.correct());
}

Verdict ending_at(Stage stage, Status status, Reason reason) {
  Verdict verdict;
  for (const auto before : {Stage::build, Stage::call, Stage::correctness, Stage::timing}) {
    if (before == stage) break;
    verdict.at(before).status = Status::passed;
  }
  verdict.at(stage) = {status, reason, "", 0};
  return verdict;
}

TEST(Verdict, DoesNotCountAsJudgedIfTheMachineFailed) {
  for (const auto& [stage, reason] : {std::pair{Stage::build, Reason::worker_lost},
                                      {Stage::build, Reason::compiler_missing},
                                      {Stage::call, Reason::judge_failed},
                                      {Stage::call, Reason::memory_limit}}) {
    const auto verdict = ending_at(stage, Status::unavailable, reason);
    EXPECT_FALSE(verdict.judged()) << to_string(reason);
    EXPECT_FALSE(verdict.scorable()) << to_string(reason);
    EXPECT_TRUE(verdict.retryable()) << to_string(reason);
  }
  EXPECT_FALSE(Verdict{}.judged()) << "nothing was reached";
}

TEST(Verdict, NamesTheStageThatGivesAReasonThoughNoEarlierStageWasReached) {
  Verdict verdict;
  verdict.at(Stage::call) = {Status::unavailable, Reason::judge_failed, "it died", 0};
  EXPECT_EQ(verdict.failed_at(), Stage::call);
  EXPECT_EQ(Verdict{}.failed_at(), Stage::build);
}

TEST(Verdict, IsNotRetryableIfTheTaskOrTheRequestIsAtFault) {
  for (const auto reason : {Reason::task_rejected, Reason::unsupported}) {
    const auto verdict = ending_at(Stage::call, Status::unavailable, reason);
    EXPECT_FALSE(verdict.judged()) << to_string(reason);
    EXPECT_FALSE(verdict.retryable()) << to_string(reason);
  }
}

TEST(Verdict, CountsAsJudgedIfTheCandidateFailed) {
  for (const auto& [stage, reason] : {std::pair{Stage::build, Reason::compile_error},
                                      {Stage::call, Reason::memory_limit},
                                      {Stage::correctness, Reason::wrong_values},
                                      {Stage::timing, Reason::implausible}}) {
    const auto verdict = ending_at(stage, Status::failed, reason);
    EXPECT_TRUE(verdict.judged() && verdict.scorable()) << to_string(reason);
    EXPECT_FALSE(verdict.retryable()) << to_string(reason);
  }
  auto cheat = ending_at(Stage::profile, Status::passed, Reason::none);
  cheat.cheated = true;
  EXPECT_TRUE(cheat.judged() && !cheat.correct());
}

TEST(Verdict, NeedsTheTimeOfACorrectCandidateToBeScorable) {
  const auto untimed = ending_at(Stage::timing, Status::unavailable, Reason::judge_failed);
  EXPECT_TRUE(untimed.correct() && untimed.judged());
  EXPECT_FALSE(untimed.scorable());
  EXPECT_TRUE(untimed.retryable());
  const auto nothing_to_time = ending_at(Stage::timing, Status::unavailable, Reason::none);
  EXPECT_TRUE(nothing_to_time.scorable() && !nothing_to_time.retryable());
  const auto not_asked = ending_at(Stage::timing, Status::not_reached, Reason::none);
  EXPECT_TRUE(not_asked.scorable() && !not_asked.retryable());
}

TEST(Signature, PutsTensorsThenSizesThenScalars) {
  Task task;
  task.name = "abs";
  task.sizes = {"N"};
  task.parameters = {Tensor{"x", DType::float32, Role::in, {Expression::parse("N")}, {}, ""},
                     Scalar{"eps", ScalarType::float64, Expression::parse("0.5")},
                     Tensor{"out", DType::bfloat16, Role::out, {Expression::parse("N")}, {}, ""}};
  EXPECT_EQ(kernel_stub(task, Language::cpp),
            "extern \"C\" void kernel_abs(\n"
            "    const float* x,  // in [N]\n"
            "    uint16_t* out,  // out [N], bfloat16 bits\n"
            "    int64_t N,  // size\n"
            "    double eps,  // scalar, 0.5\n"
            "    void* stream)  // unused\n");
}

TEST(WilsonInterval, IsThatOfTheTextbook) {
  // Newcombe 1998, table I: 81 of 263, and 0 of 20.
  const auto many = wilson_interval(81, 263);
  EXPECT_NEAR(many.low, 0.2553, 5e-5);
  EXPECT_NEAR(many.high, 0.3662, 5e-5);
  const auto none = wilson_interval(0, 20);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.1611, 5e-5);
  EXPECT_EQ(wilson_interval(0, 0).high, 1);
}

}  // namespace
}  // namespace ridgeline
