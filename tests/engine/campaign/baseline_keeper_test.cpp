#include "engine/campaign/baseline_keeper.hpp"

#include "engine/store/store.hpp"
#include "tests/engine/campaign/campaign_runs.hpp"

namespace ridgeline::campaign {
namespace {

Verdict timed_against(double median) {
  Verdict verdict;
  verdict.task = "task";
  verdict.device = "cpu";
  CaseTiming one;
  one.case_name = "published";
  one.baseline_cold.median = median;
  verdict.timing = Timing{};
  verdict.timing->baseline = "Python, eager";
  verdict.timing->cases = {one};
  return verdict;
}

TEST_F(CampaignRuns, RecordsABaselineOnceAndAgainWhenItWasMeasuredAnew) {
  const auto store = store::Store::open(config_.store, store::OpenMode::create_or_resume);
  store::Writer writer(store, [](std::function<void()> work) { work(); });
  const store::Reader reader(store);
  BaselineKeeper keeper(writer);
  keeper.record_from(Verdict{}, 1);
  keeper.record_from(timed_against(2e-3), 2);
  keeper.record_from(timed_against(2e-3), 3);
  writer.flush();
  auto kept = reader.baselines("task", "cpu");
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].kind, store::BaselineKind::eager);
  EXPECT_EQ(kept[0].description, "Python, eager");
  EXPECT_EQ(kept[0].measured_at, 2) << "the same figure is not written again";
  keeper.record_from(timed_against(3e-3), 4);
  writer.flush();
  kept = reader.baselines("task", "cpu");
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].cold.median, 3e-3);
}

}  // namespace
}  // namespace ridgeline::campaign
