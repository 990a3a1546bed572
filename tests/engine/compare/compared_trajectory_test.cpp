// From the figures of a store's attempts to the trajectory that is compared.
#include <gtest/gtest.h>

#include <vector>

#include "engine/compare/loading.hpp"
#include "engine/store/figures.hpp"
#include "tests/engine/store/samples.hpp"

namespace ridgeline::compare {
namespace {

namespace stored = store::samples;

/// The trajectory of one attempt with these figures.
ComparedTrajectory of_one(const store::EvaluationFigures& figures) {
  const store::AttemptFigures attempt{.answer = AnswerStatus::kernel, .sent = true, .evaluation = figures};
  return compared_trajectory_of(stored::trajectory(stored::task()), {&attempt, 1});
}

TEST(ComparedTrajectoryOf, AVerdictEndedByTheMachineIsNotJudged) {
  store::EvaluationFigures figures{.compiled = true,
                                   .faithful = true,  // as stores of earlier versions may say
                                   .failed_at = Stage::call,
                                   .failed_status = Status::unavailable,
                                   .reason = Reason::worker_lost};
  const auto trajectory = of_one(figures);
  ASSERT_EQ(trajectory.points.size(), 1u);
  EXPECT_FALSE(trajectory.points[0].outcome->judged);
  EXPECT_TRUE(trajectory.points[0].outcome->compiled);
  EXPECT_FALSE(trajectory.points[0].outcome->faithful);
  EXPECT_EQ(trajectory.points[0].outcome->ending, Ending::not_judged);
}

TEST(ComparedTrajectoryOf, ACheatAtAStageThatTheMachineEndedIsCalledACheat) {
  store::EvaluationFigures figures{.judged = true,
                                   .failed_at = Stage::timing,
                                   .failed_status = Status::unavailable,
                                   .reason = Reason::timing_disputed,
                                   .doubt = "cheated"};
  EXPECT_EQ(of_one(figures).points[0].outcome->ending, Ending::cheated);
  figures.failed_status = Status::failed;
  EXPECT_EQ(of_one(figures).points[0].outcome->ending, Ending::excessive_speedup);
  figures.failed_at.reset();
  EXPECT_EQ(of_one(figures).points[0].outcome->ending, Ending::cheated);
}

TEST(ComparedTrajectoryOf, TheSuspicionOfACorrectKernelBecomesItsDoubt) {
  store::EvaluationFigures figures{.judged = true, .correct = true, .speedup = 2};
  EXPECT_EQ(of_one(figures).points[0].outcome->doubt, "");
  figures.doubt = "operations over peak";
  EXPECT_EQ(of_one(figures).points[0].outcome->doubt, "operations over peak");
}

TEST(ComparedTrajectoryOf, WallTimeCountsOverlapsOnceAndNoPauseAndGpuTimeCountsAll) {
  const auto attempt = [](store::Milliseconds asked, store::Milliseconds answered,
                          store::Milliseconds judged) {
    return store::AttemptFigures{
        .answer = AnswerStatus::kernel,
        .sent = true,
        .started_at = asked,
        .ended_at = answered,
        .evaluation = store::EvaluationFigures{
            .started_at = answered, .ended_at = judged, .judged = true, .gpu_seconds = 0.5}};
  };
  // Two side by side, from 1 s to 5 s; a third a day later, for 3 s.
  constexpr store::Milliseconds day = 86'400'000;
  const std::vector attempts{attempt(1000, 2000, 5000), attempt(1000, 3000, 4000),
                             attempt(day, day + 1000, day + 3000)};
  const auto points = compared_trajectory_of(stored::trajectory(stored::task()), attempts).points;
  EXPECT_DOUBLE_EQ(points.at(0).wall_seconds, 4);
  EXPECT_DOUBLE_EQ(points.at(1).wall_seconds, 4);
  EXPECT_DOUBLE_EQ(points.at(2).wall_seconds, 7);
  EXPECT_DOUBLE_EQ(points.at(2).gpu_seconds, 1.5);
}

}  // namespace
}  // namespace ridgeline::compare
