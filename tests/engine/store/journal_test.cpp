// Records come back as they were written, in order.
#include "engine/store/journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"
#include "engine/core/error.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"
#include "engine/store/writer.hpp"
#include "tests/engine/store/campaign_fixture.hpp"

namespace ridgeline::store {
namespace {

using samples::CampaignFixture;
using samples::text_of;

std::string text_of(const AskRecord& a) {
  const nlohmann::json fields = {a.trajectory,
                                 a.step,
                                 a.slot,
                                 a.round,
                                 a.request_hash,
                                 a.role,
                                 a.critic,
                                 a.model,
                                 a.temperature.value_or(-1),
                                 a.change,
                                 a.feedback,
                                 a.prompt,
                                 a.raw_request,
                                 a.raw_response,
                                 a.response_text,
                                 a.reasoning,
                                 a.finish_reason,
                                 a.llm_status,
                                 a.llm_detail,
                                 a.provider_model,
                                 a.tokens.input,
                                 a.tokens.output,
                                 a.tokens.cached,
                                 a.tokens.reasoning,
                                 a.usd,
                                 a.seconds,
                                 a.attempts,
                                 a.diverged,
                                 to_string(a.status),
                                 a.detail,
                                 a.candidate,
                                 a.started_at,
                                 a.ended_at};
  return dump_json(fields, 1);
}

class JournalTest : public CampaignFixture {};

TEST_F(JournalTest, AttemptsComeBackWhole) {
  const auto first = samples::candidate(1);
  const auto second = samples::candidate(2, {first.hash, sha256("another parent")});
  const auto ask = samples::ask(id, 1, 0, &second);
  const auto verdict = samples::correct_verdict(task.hash, second.hash);
  writer().record(ask, second, expect_committed());
  writer().record(samples::evaluation(id, 1, 0, verdict), expect_committed());
  writer().flush();

  const auto attempts = reader().attempts(id);
  ASSERT_EQ(attempts.size(), 1u);
  EXPECT_EQ(text_of(attempts[0].ask), text_of(ask));
  EXPECT_EQ(attempts[0].candidate->source, second.source);
  EXPECT_EQ(attempts[0].candidate->parents, second.parents);
  const auto& evaluation = *attempts[0].evaluation;
  EXPECT_EQ(text_of(evaluation.verdict), text_of(verdict));
  EXPECT_EQ(evaluation.verdict.timing->cases[1].hot.samples, verdict.timing->cases[1].hot.samples);
  EXPECT_EQ(evaluation.verdict.timing->cases[1].replayed.samples, verdict.timing->cases[1].replayed.samples);
  EXPECT_EQ(evaluation.verdict.timing->cases[1].energy, 4e-3);
  EXPECT_EQ(evaluation.verdict.timing->cases[1].energy_above_idle, 3e-3);
  EXPECT_EQ(evaluation.worker, "local:0");
  EXPECT_EQ(evaluation.ended_at, 1'790'000'004'100);
}

TEST_F(JournalTest, VerdictsOfEveryFailureComeBackWhole) {
  const auto one = samples::candidate(1);
  writer().record(samples::ask(id, 0, 0, &one), one, expect_committed());
  std::vector<Verdict> verdicts;
  for (const auto& [stage, reason] :
       {std::pair(Stage::build, Reason::compile_error), std::pair(Stage::call, Reason::crashed),
        std::pair(Stage::correctness, Reason::wrong_values), std::pair(Stage::timing, Reason::implausible)}) {
    verdicts.push_back(samples::failed_verdict(task.hash, one.hash, stage, reason));
    writer().record(samples::evaluation(id, static_cast<int>(verdicts.size()), 0, verdicts.back()),
                    expect_committed());
  }
  writer().flush();
  const auto entries = load_journal(reader(), id);
  ASSERT_EQ(entries.size(), 5u);
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    EXPECT_EQ(text_of(std::get<EvaluationRecord>(entries[i + 1]).verdict), text_of(verdicts[i]));
}

TEST_F(JournalTest, OrderIsByAddressWhateverWasCommittedFirst) {
  const auto one = samples::candidate(1);
  writer().record(samples::ask(id, 2, 0, nullptr), std::nullopt, expect_committed());
  writer().record(samples::ask(id, 0, 1, &one), one, expect_committed());
  writer().record(samples::ask(id, 0, 0, &one), one, expect_committed());
  const auto verdict = samples::correct_verdict(task.hash, one.hash);
  writer().record(samples::evaluation(id, 0, 1, verdict), expect_committed());
  writer().record(samples::evaluation(id, 0, 0, verdict), expect_committed());
  writer().flush();

  std::string order;
  for (const auto& entry : load_journal(reader(), id)) {
    if (const auto* ask = std::get_if<AskEntry>(&entry)) {
      order += "a" + std::to_string(ask->record.step) + std::to_string(ask->record.slot) + " ";
      EXPECT_TRUE(ask->record.prompt == "[]" && ask->record.raw_request.empty())
          << "replay does not need them";
      EXPECT_EQ(ask->candidate.has_value(), ask->record.step == 0);
    } else {
      const auto& evaluation = std::get<EvaluationRecord>(entry);
      order += "e" + std::to_string(evaluation.step) + std::to_string(evaluation.slot) + " ";
    }
  }
  EXPECT_EQ(order, "a00 e00 a01 e01 a20 ");
}

TEST_F(JournalTest, RefusalsByABudgetAreRecordsAndCostNothing) {
  auto refused = samples::ask(id, 0, 0, nullptr);
  refused.status = AnswerStatus::budget_exhausted;
  const auto one = samples::candidate(1);
  auto not_evaluated = samples::evaluation(id, 1, 0, {});
  not_evaluated.candidate = one.hash;
  not_evaluated.status = EvaluationStatus::budget_exhausted;
  writer().record(refused, std::nullopt, expect_committed());
  writer().record(samples::ask(id, 1, 0, &one), one, expect_committed());
  writer().record(not_evaluated, expect_committed());
  writer().flush();

  const auto attempts = reader().attempts(id);
  EXPECT_EQ(attempts[0].ask.status, AnswerStatus::budget_exhausted);
  EXPECT_EQ(attempts[1].evaluation->status, EvaluationStatus::budget_exhausted);
  EXPECT_EQ(text_of(attempts[1].evaluation->verdict), text_of(Verdict{}));
  const auto totals = reader().totals(campaign.id);
  EXPECT_EQ(totals.calls, 1);
  EXPECT_EQ(totals.tokens.input, 1200);
  EXPECT_EQ(totals.tokens.cached, 1000);
  EXPECT_DOUBLE_EQ(totals.usd, 0.0125);
  EXPECT_EQ(totals.evaluations, 0);
  EXPECT_EQ(reader().totals_by_trajectory(campaign.id).at(id).calls, 1);
}

TEST_F(JournalTest, BytesThatAreNoUtf8AreKept) {
  auto ask = samples::ask(id, 0, 0, nullptr);
  ask.raw_response = std::string("half a character \xe2\x82 and a zero\0 byte", 37);
  writer().record(ask, std::nullopt, expect_committed());
  writer().flush();
  EXPECT_EQ(reader().attempts(id)[0].ask.raw_response, ask.raw_response);
}

TEST_F(JournalTest, ABranchBeginsWithCopiesOfTheStepsThatItKeeps) {
  const auto one = samples::candidate(1);
  const auto verdict = samples::correct_verdict(task.hash, one.hash);
  for (int step = 0; step < 4; ++step) {
    writer().record(samples::ask(id, step, 0, &one), one, expect_committed());
    writer().record(samples::evaluation(id, step, 0, verdict), expect_committed());
  }
  writer().flush();
  auto branch = samples::campaign("branch");
  branch.origin = campaign.id;
  std::vector trajectories{samples::trajectory(task), samples::trajectory(task, 8),
                           samples::trajectory(task, 9)};
  trajectories[0].origin = id;
  trajectories[0].kept_steps = 2;
  trajectories[1].origin = id;
  trajectories[1].kept_steps = 4;
  writer().create(branch, {task}, trajectories);

  const auto cut = reader().attempts(trajectories[0].id);
  ASSERT_EQ(cut.size(), 2u);
  EXPECT_EQ(text_of(cut[1].evaluation->verdict), text_of(verdict));
  EXPECT_EQ(cut[1].ask.raw_request, samples::ask(id, 1, 0, &one).raw_request);
  EXPECT_EQ(reader().attempts(trajectories[1].id).size(), 4u);
  EXPECT_EQ(reader().attempts(trajectories[2].id).size(), 0u);
  EXPECT_EQ(reader().attempts(id).size(), 4u);
  const auto there = reader().trajectories(branch.id);
  EXPECT_EQ(there[0].origin, id);
  EXPECT_EQ(there[0].kept_steps, 2);
  EXPECT_EQ(there[2].origin, 0);
  EXPECT_EQ(reader().newest_branch(campaign.id)->name, "branch");
  EXPECT_FALSE(reader().newest_branch(branch.id));
}

TEST_F(JournalTest, ABranchIsMadeWholeOrNotAtAll) {
  const auto one = samples::candidate(1);
  writer().record(samples::ask(id, 0, 0, &one), one, expect_committed());
  auto branch = samples::campaign("branch");
  std::vector trajectories{samples::trajectory(task), samples::trajectory(task, 8)};
  trajectories[0].origin = id;
  trajectories[0].kept_steps = 1;
  trajectories[1].origin = 999;  // there is none
  EXPECT_THROW(writer().create(branch, {task}, trajectories), Error);
  EXPECT_FALSE(reader().campaign("branch"));
  EXPECT_EQ(reader().trajectories().size(), 1u);
}

}  // namespace
}  // namespace ridgeline::store
