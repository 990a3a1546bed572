// The figures that SQL takes from a verdict's document are those of the verdict itself.
#include "engine/store/figures.hpp"

#include <gtest/gtest.h>

#include "engine/core/roofline.hpp"
#include "tests/engine/export/filled_store.hpp"
#include "tests/engine/store/campaign_fixture.hpp"

namespace ridgeline::store {
namespace {

void expect_as_in(const EvaluationFigures& figures, const Verdict& verdict) {
  EXPECT_EQ(figures.judged, verdict.judged());
  EXPECT_EQ(figures.compiled, verdict.compiled());
  EXPECT_EQ(figures.correct, verdict.correct());
  EXPECT_EQ(figures.faithful, verdict.faithful_correct);
  EXPECT_EQ(figures.device, verdict.device);
  EXPECT_DOUBLE_EQ(figures.correct ? figures.speedup : 0, verdict.speedup());
  EXPECT_DOUBLE_EQ(figures.speedup_low, verdict.timing ? verdict.timing->speedup_low : 0);
  EXPECT_DOUBLE_EQ(figures.speedup_high, verdict.timing ? verdict.timing->speedup_high : 0);
  const auto suspicions = verdict.suspicions();
  EXPECT_EQ(figures.doubt, suspicions.empty() ? "" : suspicions.front());
  EXPECT_EQ(figures.final_failures, static_cast<int>(verdict.final_failures.size()));
  ASSERT_EQ(figures.quantization.size(), verdict.quantization.size());
  for (std::size_t i = 0; i < figures.quantization.size(); ++i) {
    EXPECT_EQ(figures.quantization[i].output, verdict.quantization[i].output);
    EXPECT_DOUBLE_EQ(figures.quantization[i].sqnr_db, verdict.quantization[i].sqnr_db);
  }
  double seconds = 0;
  for (const auto stage : {Stage::call, Stage::correctness, Stage::timing, Stage::profile})
    seconds += verdict.at(stage).seconds;
  EXPECT_DOUBLE_EQ(figures.gpu_seconds, seconds);
  if (!figures.failed_at) return;
  EXPECT_EQ(figures.failed_at, verdict.failed_at());
  EXPECT_EQ(figures.failed_status, verdict.at(*figures.failed_at).status);
  EXPECT_EQ(figures.reason, verdict.at(*figures.failed_at).reason);
}

TEST(Figures, SayOfEachAttemptWhatItsRecordsSay) {
  const samples::FilledStore filled;
  const auto& reader = filled.reader();
  const auto figures = read_figures(reader, reader.campaigns().front().id);
  std::size_t at = 0;
  for (const auto& trajectory : reader.trajectories(reader.campaigns().front().id))
    for (const auto& attempt : reader.attempts(trajectory.id)) {
      ASSERT_LT(at, figures.size());
      const auto& one = figures[at++];
      EXPECT_EQ(one.trajectory, trajectory.id);
      EXPECT_EQ(one.round, attempt.ask.round);
      EXPECT_EQ(one.critic, attempt.ask.critic);
      EXPECT_EQ(one.answer, attempt.ask.status);
      EXPECT_EQ(one.sent, !attempt.ask.llm_status.empty());
      EXPECT_EQ(one.tokens, attempt.ask.tokens.input + attempt.ask.tokens.output);
      EXPECT_EQ(one.usd, attempt.ask.usd);
      EXPECT_EQ(one.started_at, attempt.ask.started_at);
      EXPECT_EQ(one.ended_at, attempt.ask.ended_at);
      ASSERT_EQ(one.evaluation.has_value(), attempt.evaluation.has_value());
      if (!attempt.evaluation) continue;
      EXPECT_EQ(one.evaluation->candidate, attempt.evaluation->candidate);
      EXPECT_EQ(one.evaluation->status, attempt.evaluation->status);
      EXPECT_EQ(one.evaluation->started_at, attempt.evaluation->started_at);
      EXPECT_EQ(one.evaluation->ended_at, attempt.evaluation->ended_at);
      if (attempt.evaluation->status == EvaluationStatus::evaluated)
        expect_as_in(*one.evaluation, attempt.evaluation->verdict);
    }
  EXPECT_EQ(at, figures.size());
  EXPECT_GT(at, 0u);
}

using StoredFigures = samples::CampaignFixture;

TEST_F(StoredFigures, AreTheVerdictsOwnForEveryEnd) {
  const auto kernel = samples::candidate(1);
  std::vector<Verdict> verdicts{samples::correct_verdict(task.hash, kernel.hash)};
  const auto changed = [&] {
    verdicts.push_back(samples::correct_verdict(task.hash, kernel.hash));
    return &verdicts.back();
  };
  changed()->flags = {"operations over peak", "another"};
  changed()->cheated = true;
  changed()->final_failures = {"last_resort", "and_one"};
  changed()->quantization = {{.case_name = "small", .output = "y", .cosine = 0.99, .sqnr_db = 31}};
  changed()->timing.reset();
  auto* disputed = changed();
  disputed->at(Stage::timing) = {Status::unavailable, Reason::timing_disputed, "", 0.1};
  disputed->timing.reset();
  auto* lost = changed();
  lost->at(Stage::call) = {Status::unavailable, Reason::worker_lost, "", 0.1};
  lost->timing.reset();
  for (const auto& [stage, reason] :
       {std::pair{Stage::build, Reason::compile_error}, std::pair{Stage::call, Reason::timed_out},
        std::pair{Stage::correctness, Reason::wrong_values}, std::pair{Stage::timing, Reason::implausible}})
    verdicts.push_back(samples::failed_verdict(task.hash, kernel.hash, stage, reason));
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const int step = static_cast<int>(i);
    writer().record(samples::ask(id, step, 0, &kernel), kernel, expect_committed());
    writer().record(samples::evaluation(id, step, 0, verdicts[i]), expect_committed());
  }
  writer().flush();
  const auto figures = read_figures(reader(), campaign.id);
  ASSERT_EQ(figures.size(), verdicts.size());
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    SCOPED_TRACE(i);
    ASSERT_TRUE(figures[i].evaluation);
    expect_as_in(*figures[i].evaluation, verdicts[i]);
  }
  const auto rooflines = rooflines_of(reader(), figures[0].evaluation->id);
  ASSERT_EQ(rooflines.size(), verdicts[0].rooflines.size());
  EXPECT_EQ(rooflines[0].case_name, "small");
  EXPECT_EQ(rooflines[0].operations, verdicts[0].rooflines[0].operations);
  EXPECT_TRUE(rooflines_of(reader(), figures.back().evaluation->id + 1).empty());
}

}  // namespace
}  // namespace ridgeline::store
