// Sentences of diagnoses, on invented counters of an invented card.
#include "prompts/words/diagnosis_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/counters.hpp"

namespace ridgeline::words {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Ceilings card() {
  Ceilings c;
  c.device = "a card";
  c.threads = 132;  // multiprocessors
  c.bandwidth = 4e12;
  c.cache_bytes = 50e6;
  c.peaks = {{"fp32", 50e12}, {"fp16", 800e12}, {"bf16", 800e12}, {"tf32", 400e12}, {"fp64", 60e12}};
  return c;
}

std::vector<Counter> counted(std::initializer_list<std::pair<std::string_view, double>> values) {
  std::vector<Counter> counters;
  for (const auto& [name, value] : values) counters.push_back({std::string(name), value, Source::cupti});
  return counters;
}

KernelLaunch launch(std::int64_t blocks, double seconds, double possible, double achieved,
                    OccupancyLimit limit = OccupancyLimit::warps, int registers = 32) {
  KernelLaunch one;
  one.kernel = "work";
  one.grid = {blocks, 1, 1};
  one.block = {256, 1, 1};
  one.registers = registers;
  one.seconds = seconds;
  one.theoretical_occupancy = possible;
  one.achieved_occupancy = achieved;
  one.limit = limit;
  return one;
}

struct Call {
  Roofline placed;
  std::string diagnosis;
};

Call counted_call(const Ceilings& ceilings, DType dtype, double bytes, double operations, double seconds,
                  std::vector<Counter> counters, const std::vector<KernelLaunch>& launches) {
  auto placed = place_counted(ceilings, dtype, bytes, operations, seconds, std::move(counters));
  auto text = diagnosis_text(diagnose_counted(placed, ceilings, dtype, launches));
  return {std::move(placed), std::move(text)};
}

std::string analytic_text(const Work& work, double seconds) {
  const auto placed = place_on_roofline(card(), DType::float32, work, seconds);
  return diagnosis_text(diagnose_analytic(placed, card(), DType::float32, work));
}

TEST(DiagnosisText, SaysThatOnlyMovingLessHelpsNearTheRoof) {
  const auto at = counted_call(card(), DType::float32, 400e6, 100e6, 110e-6,
                               counted({{counter::dram_read_bytes, 210e6},
                                        {counter::dram_write_bytes, 190e6},
                                        {counter::fp32_operations, 100e6},
                                        {counter::stall_long_scoreboard, 0.8}}),
                               {});
  EXPECT_THAT(at.diagnosis, AllOf(HasSubstr("Memory-bound at 1.1x"), HasSubstr("91 % of memory bandwidth"),
                                  HasSubstr("close to the roof"), Not(HasSubstr("long scoreboard"))));
}

TEST(DiagnosisText, NamesUncoalescedReadsWithTrafficSectorsAndStalls) {
  const auto at = counted_call(card(), DType::float32, 400e6, 100e6, 480e-6,
                               counted({{counter::dram_read_bytes, 1440e6},
                                        {counter::dram_write_bytes, 200e6},
                                        {counter::fp32_operations, 100e6},
                                        {counter::load_bytes_per_sector, 4},
                                        {counter::store_bytes_per_sector, 32},
                                        {counter::stall_long_scoreboard, 0.62},
                                        {counter::stall_wait, 0.05}}),
                               std::vector{launch(4096, 470e-6, 1, 0.9)});
  EXPECT_THAT(at.diagnosis,
              AllOf(HasSubstr("DRAM traffic is 4.1x the compulsory bytes"),
                    HasSubstr("reads are not coalesced (4 of each 32-byte sector used)"),
                    HasSubstr("warps wait for global memory (long scoreboard 62 % of their time)")));
}

TEST(DiagnosisText, NamesUncoalescedWritesOnlyWhereStoresMatter) {
  const auto storing = [](double stored) {
    return counted_call(card(), DType::float32, 134e6, 33e6, 70e-6,
                        counted({{counter::dram_read_bytes, 134e6},
                                 {counter::dram_write_bytes, 2e6},
                                 {counter::l2_bytes, 203e6},
                                 {counter::l2_write_bytes, stored},
                                 {counter::load_bytes_per_sector, 32},
                                 {counter::store_bytes_per_sector, 4}}),
                        {})
        .diagnosis;
  };
  EXPECT_THAT(storing(0.3e6), Not(HasSubstr("coalesced"))) << "the sums of rows";
  EXPECT_THAT(storing(90e6), HasSubstr("writes are not coalesced (4 of each 32-byte sector used)"));
}

TEST(DiagnosisText, SaysThatTrafficOfWholeSectorsIsDataFetchedAgain) {
  const auto at = counted_call(card(), DType::float32, 50e6, 17e9, 900e-6,
                               counted({{counter::dram_read_bytes, 900e6},
                                        {counter::dram_write_bytes, 16e6},
                                        {counter::fp32_operations, 17e9},
                                        {counter::load_bytes_per_sector, 32}}),
                               {});
  EXPECT_THAT(at.diagnosis, AllOf(HasSubstr("18.3x the compulsory bytes: data is fetched again"),
                                  Not(HasSubstr("coalesced"))));
}

TEST(DiagnosisText, NamesTheLimiterOfALowOccupancy) {
  const auto with = [&](OccupancyLimit limit) {
    auto one = launch(4096, 90e-6, 0.25, 0.24, limit, 168);
    one.shared = 100 * 1024;
    return counted_call(card(), DType::float32, 100e6, 100e6, 100e-6,
                        counted({{counter::dram_read_bytes, 50e6},
                                 {counter::dram_write_bytes, 50e6},
                                 {counter::fp32_operations, 100e6},
                                 {counter::stall_long_scoreboard, 0.5}}),
                        std::vector{one})
        .diagnosis;
  };
  EXPECT_THAT(with(OccupancyLimit::registers),
              HasSubstr("only 25 % of a multiprocessor's warps fit, limited by registers (168 a thread)"));
  EXPECT_THAT(with(OccupancyLimit::shared_memory), HasSubstr("limited by shared memory (100 KiB a block)"));
  EXPECT_THAT(with(OccupancyLimit::blocks), HasSubstr("with 256 threads a block"));
}

TEST(DiagnosisText, NamesAnIdleTensorPipeFirstInAHalfPrecisionProduct) {
  const auto product = [&](double instructions, double share, std::vector<Counter> more) {
    auto counters = counted({{counter::dram_read_bytes, 30e6},
                             {counter::dram_write_bytes, 8e6},
                             {counter::tensor_instructions, instructions},
                             {counter::tensor_share, share}});
    counters.insert(counters.end(), more.begin(), more.end());
    return counted_call(card(), DType::bfloat16, 40e6, 34e9, 1e-3, std::move(counters), {}).diagnosis;
  };
  EXPECT_THAT(product(0, 0, counted({{counter::fp32_operations, 34e9}})),
              AllOf(HasSubstr("Compute-bound"),
                    HasSubstr("the tensor pipe is idle though the operands are bfloat16")));
  EXPECT_THAT(product(1e6, 0.12, counted({{counter::tensor_bf16_operations, 34e9}})),
              HasSubstr("the tensor pipe is busy in 12 % of the cycles only"));
  auto one = launch(4096, 900e-6, 0.25, 0.24);
  const auto first = counted_call(card(), DType::bfloat16, 40e6, 34e9, 1e-3,
                                  counted({{counter::dram_read_bytes, 900e6},
                                           {counter::dram_write_bytes, 8e6},
                                           {counter::tensor_instructions, 0},
                                           {counter::fp32_operations, 34e9}}),
                                  std::vector{one, one})
                         .diagnosis;
  EXPECT_LT(first.find("the tensor pipe is idle"), first.find("compulsory")) << first;
  EXPECT_LT(first.find("the tensor pipe is idle"), first.find("of its 2 kernels")) << first;
  const auto pointwise = counted_call(card(), DType::bfloat16, 400e6, 100e6, 200e-6,
                                      counted({{counter::dram_read_bytes, 200e6},
                                               {counter::dram_write_bytes, 200e6},
                                               {counter::fp32_operations, 100e6},
                                               {counter::tensor_instructions, 0}}),
                                      {});
  EXPECT_THAT(pointwise.diagnosis, Not(HasSubstr("tensor"))) << "pointwise work has no use for it";
}

TEST(DiagnosisText, SaysThatAHandfulOfBlocksLeavesTheCardIdle) {
  const auto at = counted_call(card(), DType::float32, 8e6, 1e6, 100e-6,
                               counted({{counter::dram_read_bytes, 4e6},
                                        {counter::dram_write_bytes, 4e6},
                                        {counter::fp32_operations, 1e6},
                                        {counter::sm_active_share, 0.06},
                                        {counter::stall_barrier, 0.4}}),
                               std::vector{launch(8, 98e-6, 1, 0.13)});
  EXPECT_EQ(at.placed.bound, Bound::latency);
  EXPECT_THAT(at.diagnosis,
              AllOf(HasSubstr("Neither roof explains the time"),
                    HasSubstr("8 blocks leave most of the 132 multiprocessors idle"),
                    HasSubstr("warps wait for each other at barriers (barrier 40 % of their time)")));
}

TEST(DiagnosisText, SaysThatManyShortKernelsAreMostlyLaunches) {
  const auto at = counted_call(
      card(), DType::float32, 1e6, 1e5, 40e-6,
      counted({{counter::dram_read_bytes, 1e6}, {counter::dram_write_bytes, 0}}),
      std::vector{launch(200, 4e-6, 1, 0.5), launch(200, 3e-6, 1, 0.5), launch(200, 5e-6, 1, 0.5)});
  EXPECT_THAT(at.diagnosis,
              HasSubstr("its 3 kernels run for 12.0 µs of 40.0 µs, the rest is launches and gaps"));
}

TEST(DiagnosisText, NamesTheLongestOfSeveralKernels) {
  auto first = launch(4096, 60e-6, 1, 0.9);
  first.kernel = "partial_sums";
  const auto at = counted_call(card(), DType::float32, 100e6, 1e6, 85e-6,
                               counted({{counter::dram_read_bytes, 100e6}, {counter::dram_write_bytes, 0}}),
                               std::vector{first, launch(200, 20e-6, 1, 0.5)});
  EXPECT_THAT(at.diagnosis, HasSubstr("`partial_sums` takes 75 % of the time of its 2 kernels"));
}

TEST(DiagnosisText, NamesDoublePrecisionThatNobodyAskedFor) {
  const auto doubles = [&](DType dtype, double singles = 0.5e9) {
    return counted_call(card(), dtype, 100e6, 1e9, 100e-6,
                        counted({{counter::dram_read_bytes, 100e6},
                                 {counter::dram_write_bytes, 0},
                                 {counter::fp32_operations, singles},
                                 {counter::fp64_operations, 0.5e9}}),
                        {})
        .diagnosis;
  };
  EXPECT_THAT(doubles(DType::float32), HasSubstr("50 % of the arithmetic is in double precision"));
  EXPECT_THAT(doubles(DType::float64), Not(HasSubstr("double precision")));
  EXPECT_THAT(doubles(DType::float32, 0),
              AllOf(HasSubstr("all arithmetic is in double precision"), Not(HasSubstr("an f"))));
}

TEST(DiagnosisText, GivesAtMostThreeCauses) {
  const auto at = counted_call(card(), DType::bfloat16, 40e6, 34e9, 1e-3,
                               counted({{counter::dram_read_bytes, 300e6},
                                        {counter::dram_write_bytes, 8e6},
                                        {counter::tensor_instructions, 0},
                                        {counter::fp32_operations, 34e9},
                                        {counter::load_bytes_per_sector, 2},
                                        {counter::bank_conflict_share, 0.5},
                                        {counter::stall_mio_throttle, 0.5}}),
                               std::vector{launch(64, 1e-3, 0.25, 0.2, OccupancyLimit::registers, 200)});
  EXPECT_EQ(std::count(at.diagnosis.begin(), at.diagnosis.end(), ';'), 2);
  EXPECT_THAT(at.diagnosis, Not(HasSubstr("bank conflicts")));
}

TEST(DiagnosisText, IsAClauseForEachCause) {
  EXPECT_EQ(cause_text(Cause(cause::LaunchGaps{8, 20e-6, 100e-6})),
            "its 8 kernels run for 20.0 µs of 100.0 µs, the rest is launches and gaps: fuse them");
  EXPECT_EQ(cause_text(Cause(cause::ManyLaunches{200, 1e-3})),
            "it launches 200 kernels in 1000.0 µs: fuse them");
  EXPECT_EQ(cause_text(Cause(cause::FewWarps{0.25, OccupancyLimit::shared_memory, 32, 65537, 256})),
            "only 25 % of a multiprocessor's warps fit, limited by shared memory (65 KiB a block)");
  EXPECT_EQ(cause_text(Cause(cause::StrayDoubles{1})), "all arithmetic is in double precision");
}

TEST(DiagnosisText, NamesAStallWithoutADescriptionByItsCounter) {
  EXPECT_EQ(cause_text(Cause(cause::Stall{"stall_tex_throttle", 0.4})),
            "warps wait (tex throttle 40 % of their time)");
  EXPECT_EQ(cause_text(Cause(cause::Stall{"x", 0.4})), "warps wait (x 40 % of their time)");
}

TEST(DiagnosisText, SaysThatACallFasterThanItsRoofDidPartOfTheWork) {
  EXPECT_THAT(
      analytic_text({.operations = 1e6, .bytes = 400e6}, 50e-6),
      HasSubstr("needs for 50 % of the bytes that the definition counts, so it moves fewer of them."));
  const auto algebra = analytic_text({.operations = 1e12, .bytes = 1e3}, 8e-3);
  EXPECT_THAT(algebra, HasSubstr("the peak needs for 40 % of the operations that the definition counts"));
  EXPECT_THAT(algebra, Not(HasSubstr("0.4x")));
}

TEST(DiagnosisText, ClaimsNothingWithoutATime) {
  EXPECT_THAT(analytic_text({.operations = 1, .bytes = 1e6}, 0), Not(HasSubstr("fewer")));
}

TEST(DiagnosisText, NamesTheLevelOfMemoryOfAHotCall) {
  EXPECT_EQ(hot_text({"L3", 0.78}, 10.2e-6), "Hot, its operands in the L3: 10.2 µs, 78 % of that bandwidth.");
  EXPECT_THAT(hot_text({"memory", 0.5}, 1e-3), HasSubstr("its operands in memory: "));
}

}  // namespace
}  // namespace ridgeline::words
