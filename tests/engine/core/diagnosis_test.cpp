// Causes as data; tests/prompts/words/diagnosis_text_test.cpp has their sentences.
#include <gmock/gmock.h>

#include "engine/core/counters.hpp"
#include "engine/core/diagnosis.hpp"

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

Ceilings card_without_peaks() {
  Ceilings ceilings;
  ceilings.threads = 132;
  ceilings.cache_bytes = 50e6;
  return ceilings;
}

TEST(Diagnosis, SaysHowFarACallIsFromItsRoof) {
  const auto diagnosis = diagnose_analytic(slow_call(), card_without_peaks(), DType::float32, {});
  EXPECT_EQ(diagnosis.distance.bound, Bound::memory);
  EXPECT_DOUBLE_EQ(diagnosis.distance.times, 4);
  EXPECT_DOUBLE_EQ(diagnosis.distance.bandwidth_share, 0.25);
  EXPECT_DOUBLE_EQ(diagnosis.part_in_time, 1);
}

TEST(Diagnosis, SaysWhichPartOfTheWorkTheTimeSufficedFor) {
  auto ceilings = card_without_peaks();
  ceilings.bandwidth = 4e12;
  const Work copy{.operations = 0, .bytes = 400e6};
  const auto skips = place_on_roofline(ceilings, DType::float32, copy, 50e-6);
  EXPECT_DOUBLE_EQ(diagnose_analytic(skips, ceilings, DType::float32, copy).part_in_time, 0.5);
  const auto noise = place_on_roofline(ceilings, DType::float32, copy, 97e-6);
  EXPECT_DOUBLE_EQ(diagnose_analytic(noise, ceilings, DType::float32, copy).part_in_time, 1);
}

TEST(Diagnosis, TakesNoTrafficThatMayBeOfOtherWorkForACause) {
  const std::vector<Counter> counters = {{std::string(counter::dram_read_bytes), 16e6, Source::cupti},
                                         {std::string(counter::dram_write_bytes), 28e6, Source::cupti}};
  auto ceilings = card_without_peaks();
  ceilings.bandwidth = 4e12;
  const auto at = place_counted(ceilings, DType::float32, 20e6, 10e6, 12e-6, counters);
  EXPECT_TRUE(diagnose_counted(at, ceilings, DType::float32, {}).causes.empty())
      << "half the L2 may have been dirty before";
}

TEST(Diagnosis, GivesEachCauseItsFigures) {
  auto at = slow_call();
  at.counters = {{std::string(counter::bank_conflict_share), 0.5, Source::cupti},
                 {std::string(counter::stall_barrier), 0.75, Source::cupti}};
  const auto diagnosis = diagnose_counted(at, card_without_peaks(), DType::float32, {});
  ASSERT_EQ(diagnosis.causes.size(), 2u);
  const auto& stall = std::get<cause::Stall>(diagnosis.causes[0]);
  EXPECT_EQ(stall.counter, counter::stall_barrier);
  EXPECT_DOUBLE_EQ(stall.share, 0.75);
  EXPECT_DOUBLE_EQ(std::get<cause::BankConflicts>(diagnosis.causes[1]).share, 0.5);
}

TEST(Diagnosis, TakesNoSumOfSomeLaunchesForThoseOfTheWholeCall) {
  // A report has room for 96 launches: the others run too, and are no gaps.
  const std::vector<KernelLaunch> counted(96, KernelLaunch{.kernel = "step", .seconds = 0.5e-6});
  auto at = slow_call();
  at.counters = {{std::string(counter::kernels), 200, Source::cupti}};
  const auto causes = diagnose_counted(at, card_without_peaks(), DType::float32, counted).causes;
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(std::get<cause::ManyLaunches>(causes[0]).kernels, 200u);
  EXPECT_DOUBLE_EQ(std::get<cause::ManyLaunches>(causes[0]).call, 100e-6);

  at.seconds = 1;  // long kernels, of which launching is no part
  EXPECT_TRUE(diagnose_counted(at, card_without_peaks(), DType::float32, counted).causes.empty());
}

TEST(Diagnosis, ComparesTheSumOfAllLaunchesWithTheCall) {
  const std::vector<KernelLaunch> counted(2, KernelLaunch{.kernel = "step", .seconds = 10e-6});
  auto at = slow_call();
  at.counters = {{std::string(counter::kernels), 2, Source::cupti}};
  const auto causes = diagnose_counted(at, card_without_peaks(), DType::float32, counted).causes;
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(std::get<cause::LaunchGaps>(causes[0]).kernels, 2u);
  EXPECT_DOUBLE_EQ(std::get<cause::LaunchGaps>(causes[0]).running, 20e-6);
}

TEST(Diagnosis, GivesNoCausesNearTheRoof) {
  auto at = slow_call();
  at.efficiency = 0.9;
  at.bytes = 100e6;
  at.counters = {{std::string(counter::needed_bytes), 100e6, Source::analytic},
                 {std::string(counter::bank_conflict_share), 0.5, Source::cupti}};
  const auto diagnosis = diagnose_counted(at, card_without_peaks(), DType::float32, {});
  EXPECT_EQ(diagnosis.near, CountedDiagnosis::Near::each_operand_once);
  EXPECT_TRUE(diagnosis.causes.empty());
}

}  // namespace
}  // namespace ridgeline
