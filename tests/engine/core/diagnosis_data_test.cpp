// Findings as kinds with their figures, before any words.
#include <gmock/gmock.h>

#include "engine/core/counters.hpp"
#include "engine/core/diagnosis.hpp"
#include "engine/core/diagnosis_words.hpp"

namespace ridgeline {
namespace {

Roofline slow_call() {
  Roofline at;
  at.bound = Bound::memory;
  at.seconds = 100e-6;
  at.roof_seconds = 25e-6;
  at.bandwidth_share = 0.25;
  at.efficiency = 0.25;
  return at;
}

Ceilings card() {
  Ceilings ceilings;
  ceilings.threads = 132;
  ceilings.cache_bytes = 50e6;
  return ceilings;
}

TEST(DiagnosisData, ACallKnowsItsDistanceFromTheRoof) {
  const auto diagnosis = diagnose_analytic(slow_call(), 1);
  EXPECT_EQ(diagnosis.at.bound, Bound::memory);
  EXPECT_DOUBLE_EQ(diagnosis.at.times, 4);
  EXPECT_DOUBLE_EQ(diagnosis.at.bandwidth_share, 0.25);
}

TEST(DiagnosisData, ACauseCarriesTheFiguresThatItWasFoundBy) {
  auto at = slow_call();
  at.counters = {{std::string(counter::bank_conflict_share), 0.5, Source::cupti},
                 {std::string(counter::stall_barrier), 0.75, Source::cupti}};
  const auto diagnosis = diagnose_counted(at, card(), DType::float32, {});
  ASSERT_EQ(diagnosis.causes.size(), 2u);
  const auto& stall = std::get<cause::Stall>(diagnosis.causes[0]);
  EXPECT_EQ(stall.counter, counter::stall_barrier);
  EXPECT_DOUBLE_EQ(stall.share, 0.75);
  EXPECT_DOUBLE_EQ(std::get<cause::BankConflicts>(diagnosis.causes[1]).share, 0.5);
}

TEST(DiagnosisData, NearTheRoofNoCauseIsLookedFor) {
  auto at = slow_call();
  at.efficiency = 0.9;
  at.bytes = 100e6;
  at.counters = {{std::string(counter::needed_bytes), 100e6, Source::analytic},
                 {std::string(counter::bank_conflict_share), 0.5, Source::cupti}};
  const auto diagnosis = diagnose_counted(at, card(), DType::float32, {});
  EXPECT_EQ(diagnosis.near, CountedDiagnosis::Near::each_operand_once);
  EXPECT_TRUE(diagnosis.causes.empty());
}

TEST(DiagnosisWords, AreAClauseForEachCause) {
  EXPECT_EQ(in_words(Cause(cause::LaunchGaps{8, 20e-6, 100e-6})),
            "its 8 kernels run for 20.0 µs of 100.0 µs, the rest is launches and gaps: fuse them");
  EXPECT_EQ(in_words(Cause(cause::FewWarps{0.25, OccupancyLimit::shared_memory, 32, 65537, 256})),
            "only 25 % of a multiprocessor's warps fit, limited by shared memory (65 KiB a block)");
  EXPECT_EQ(in_words(Cause(cause::StrayDoubles{1})), "all arithmetic is in double precision");
}

}  // namespace
}  // namespace ridgeline
