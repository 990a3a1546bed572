#include "engine/serve/overview.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgeline::serve {
namespace {

using testing::HasSubstr;
using testing::Not;

store::TrajectoryRecord trajectory(store::Id id, store::TrajectoryState state) {
  store::TrajectoryRecord one;
  one.id = id;
  one.task_name = "task_" + std::to_string(id) + ";";
  one.strategy = "geak";
  one.model = "generator";
  one.state = state;
  return one;
}

TEST(Overview, ShowsRunningTrajectoriesFirstIfNotAllFit) {
  CampaignView view;
  const auto count = static_cast<store::Id>(most_rows) + 2;
  for (store::Id id = 1; id < count; ++id)
    view.trajectories.push_back(trajectory(id, store::TrajectoryState::pending));
  view.trajectories.push_back(trajectory(count, store::TrajectoryState::running));
  const auto html = overview_html(view);
  EXPECT_THAT(html, HasSubstr("task_" + std::to_string(count) + ";"));
  EXPECT_THAT(html, HasSubstr("task_999;"));
  EXPECT_THAT(html, Not(HasSubstr("task_1000;")));
  EXPECT_THAT(html, HasSubstr("2 more trajectories"));
  EXPECT_THAT(html, HasSubstr("1 running, 1001 pending"));
}

TEST(Overview, NamesModelsOnlyIfThereAreSeveral) {
  CampaignView view;
  view.trajectories = {trajectory(1, store::TrajectoryState::pending),
                       trajectory(2, store::TrajectoryState::pending)};
  EXPECT_THAT(overview_html(view), Not(HasSubstr("generator")));
  view.trajectories[1].model = "another";
  EXPECT_THAT(overview_html(view), HasSubstr("generator"));
}

TEST(Overview, ShowsIncompleteAndUnjudgedTrajectoriesApart) {
  CampaignView view;
  view.trajectories = {trajectory(1, store::TrajectoryState::finished),
                       trajectory(2, store::TrajectoryState::incomplete)};
  EXPECT_THAT(overview_html(view), Not(HasSubstr("not judged</span>")));
  view.trajectories[1].detail = "the cap total.usd was <reached>";
  store::AttemptBrief lost;
  lost.trajectory = 1;
  lost.answer = AnswerStatus::kernel;
  lost.evaluation = EvaluationStatus::evaluated;
  lost.failed_at = Stage::build;
  lost.reason = Reason::worker_lost;
  view.briefs = {lost};
  const auto html = overview_html(view);
  for (const char* part :
       {"1 finished, 1 incomplete", "incomplete: 1 (1 the cap total.usd was &lt;reached&gt;)",
        "<b>1</b><span>not judged</span>", "class=\"lost\"", "not judged: worker_lost",
        "<td class=\"text quiet\">the cap total.usd", "state incomplete"})
    EXPECT_THAT(html, HasSubstr(part));
}

TEST(Overview, ShowsACancelledEvaluationAsNoFailureOfTheMachine) {
  CampaignView view;
  view.trajectories = {trajectory(1, store::TrajectoryState::finished)};
  store::AttemptBrief broken_off, unjudged;
  broken_off.trajectory = unjudged.trajectory = 1;
  broken_off.answer = AnswerStatus::cancelled;
  unjudged.answer = AnswerStatus::kernel;
  unjudged.evaluation = EvaluationStatus::cancelled;
  view.briefs = {broken_off, unjudged};
  const auto html = overview_html(view);
  EXPECT_THAT(html, HasSubstr("class=\"none\" style=\"height:12%\" title=\"round 0: cancelled\""));
  EXPECT_THAT(html, Not(HasSubstr("class=\"lost\"")));
  EXPECT_THAT(html, Not(HasSubstr("class=\"busy\"")));
}

TEST(Overview, ShowsWhatWasSpentInReadableUnits) {
  CampaignView view;
  view.trajectories = {trajectory(1, store::TrajectoryState::finished)};
  view.total.tokens = {.input = 1'200'000, .output = 34'000};
  view.total.usd = 1.239;
  view.total.wall_seconds = 3 * 3600 + 7 * 60 + 59;
  const auto html = overview_html(view);
  for (const char* figure : {"<b>1.23 M</b>", "<b>1.24</b>", "<b>3 h 07 min</b>", "<b>1 of 1</b>"})
    EXPECT_THAT(html, HasSubstr(figure));
  view.total.usd = 0;
  EXPECT_THAT(overview_html(view), Not(HasSubstr("USD"))) << "a local model costs nothing";
}

}  // namespace
}  // namespace ridgeline::serve
