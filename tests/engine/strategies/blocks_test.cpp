#include "engine/strategies/archive.hpp"
#include "engine/strategies/attempt_outcome.hpp"
#include "engine/strategies/repair_counter.hpp"
#include "engine/strategies/stopper.hpp"
#include "tests/engine/strategies/fake_effects.hpp"

namespace ridgeline::strategies {
namespace {

using testing::correct;

std::string members(const Archive& archive) {
  std::string text;
  for (const auto& one : archive.worst_to_best().ancestors) text += one->candidate.source;
  return text;
}

TEST(Archive, KeepsTheFastestSlowestFirst) {
  Archive archive(3);
  EXPECT_EQ(archive.best(), nullptr);
  for (const auto& [source, speedup] : {std::pair{"b", 2.0}, {"a", 1.0}, {"d", 4.0}, {"c", 3.0}})
    EXPECT_TRUE(archive.offer(correct(source, speedup).evaluated)) << source;
  EXPECT_EQ(members(archive), "bcd");
  EXPECT_EQ(archive.best()->candidate.source, "d");
  EXPECT_FALSE(archive.offer(correct("e", 1.5).evaluated));
}

TEST(Archive, KeepsTheEarlierOfTwoEquallyFast) {
  Archive archive(2);
  archive.offer(correct("a", 1).evaluated);
  archive.offer(correct("b", 1).evaluated);
  EXPECT_FALSE(archive.offer(correct("c", 1).evaluated));
  EXPECT_EQ(members(archive), "ba");
}

TEST(Archive, RefusesIncorrectCandidatesAndMembers) {
  Archive archive(2);
  EXPECT_FALSE(archive.offer(nullptr));
  EXPECT_FALSE(archive.offer(testing::incorrect("a").evaluated));
  EXPECT_TRUE(archive.offer(correct("a", 1).evaluated));
  EXPECT_FALSE(archive.offer(correct("a", 9).evaluated));
  EXPECT_EQ(archive.size(), 1u);
}

TEST(Archive, KeepsAnAnalysisWithItsCandidate) {
  Archive archive(2);
  archive.offer(correct("a", 1).evaluated);
  archive.annotate(testing::hash_of_source("a"), "slow loop");
  archive.annotate("no such hash", "lost");
  archive.offer(correct("b", 0.5).evaluated);
  EXPECT_EQ(archive.worst_to_best().analyses, (std::vector<std::string>{"", "slow loop"}));
}

TEST(AttemptOutcome, DistinguishesAFailedCandidateFromAFailedMachine) {
  EXPECT_EQ(outcome_of(correct("a", 1)), AttemptOutcome::correct);
  EXPECT_EQ(outcome_of(testing::incorrect("a")), AttemptOutcome::incorrect);
  EXPECT_EQ(outcome_of(testing::ending_at("a", Stage::build, Status::unavailable, Reason::compiler_missing)),
            AttemptOutcome::unjudged);
  EXPECT_EQ(outcome_of(testing::ending_at("a", Stage::timing, Status::failed, Reason::implausible)),
            AttemptOutcome::incorrect);
  auto verdict = correct("a", 1).evaluated->verdict;
  verdict.cheated = true;
  EXPECT_EQ(outcome_of(testing::answered("a", verdict)), AttemptOutcome::incorrect);
  auto refused = correct("a", 1);
  refused.evaluated = nullptr;
  EXPECT_EQ(outcome_of(refused), AttemptOutcome::out_of_budget);
}

TEST(RepairCounter, IsExhaustedAtItsLimitUntilReset) {
  RepairCounter repairs(2);
  repairs.count();
  EXPECT_FALSE(repairs.exhausted());
  repairs.count();
  EXPECT_TRUE(repairs.exhausted());
  repairs.reset();
  EXPECT_FALSE(repairs.exhausted());
}

TEST(Stopper, CountsARoundAsFruitfulIfOneAttemptOfItWasJudged) {
  const auto silent = testing::without_kernel(AnswerStatus::model_failed);
  const std::vector<Attempt> barren{silent, silent};
  const std::vector<Attempt> fruitful{silent, testing::incorrect("a")};
  Stopper stopper(10);
  stopper.round_ended(barren);
  stopper.round_ended(fruitful);
  stopper.round_ended(barren);
  EXPECT_FALSE(stopper.done());
  stopper.round_ended(barren);
  EXPECT_TRUE(stopper.done());
  EXPECT_EQ(stopper.round(), 4);
}

}  // namespace
}  // namespace ridgeline::strategies
