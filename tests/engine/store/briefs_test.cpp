// A campaign at a glance, and the mark that tells whether another glance is worth it.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "tests/engine/export/filled_store.hpp"
#include "tests/engine/store/campaign_fixture.hpp"

namespace ridgeline::store {
namespace {

TEST(Briefs, SayOfEachStepWhatItsVerdictSays) {
  const samples::FilledStore filled;
  const auto& reader = filled.reader();
  const auto briefs = reader.briefs(reader.campaigns().front().id);
  std::size_t at = 0;
  for (const auto& trajectory : reader.trajectories())
    for (const auto& attempt : reader.attempts(trajectory.id)) {
      ASSERT_LT(at, briefs.size());
      const auto& brief = briefs[at++];
      EXPECT_EQ(brief.trajectory, trajectory.id);
      EXPECT_EQ(brief.step, attempt.ask.step);
      EXPECT_EQ(brief.slot, attempt.ask.slot);
      EXPECT_EQ(brief.round, attempt.ask.round);
      EXPECT_EQ(brief.critic, attempt.ask.critic);
      EXPECT_EQ(brief.answer, attempt.ask.status);
      ASSERT_EQ(brief.evaluation.has_value(), attempt.evaluation.has_value());
      if (!attempt.evaluation) continue;
      const auto& verdict = attempt.evaluation->verdict;
      EXPECT_EQ(brief.judged, attempt.evaluation->status == EvaluationStatus::evaluated && verdict.judged());
      EXPECT_EQ(brief.correct, verdict.correct());
      EXPECT_DOUBLE_EQ(brief.speedup, verdict.speedup());
      EXPECT_EQ(brief.failed_at, verdict.failed_at());
      if (brief.failed_at) {
        EXPECT_EQ(brief.reason, verdict.at(*brief.failed_at).reason);
      }
      EXPECT_EQ(brief.ended_at, attempt.evaluation->ended_at);
    }
  EXPECT_EQ(at, briefs.size());
}

using StoreMark = samples::CampaignFixture;

/// Puts the file's times back, as if its last write were long ago.
void settle(const std::string& path) {
  for (const auto& file : {path, path + "-wal"})
    if (std::filesystem::exists(file))
      std::filesystem::last_write_time(file,
                                       std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
}

TEST_F(StoreMark, ChangesWithACommitAndNotWithAReading) {
  writer().flush();
  settle(store.path());
  const auto before = store.mark();
  ASSERT_TRUE(before);
  reader().briefs(campaign.id);
  {
    const Reader another(store);
  }
  EXPECT_EQ(store.mark(), before);
  writer().record(samples::ask(id, 0, 0, nullptr), std::nullopt, expect_committed());
  writer().flush();
  EXPECT_NE(store.mark(), before);
}

TEST_F(StoreMark, IsNotGivenJustAfterAWrite) {
  settle(store.path());
  std::filesystem::last_write_time(store.path(),
                                   std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_EQ(store.mark(), std::nullopt) << "a time that is not past is as good as now";
}

}  // namespace
}  // namespace ridgeline::store
