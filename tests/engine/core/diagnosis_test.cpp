// What counters are made to say, on invented numbers of an invented card.
#include "engine/core/diagnosis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/counter_doubts.hpp"
#include "engine/core/counters.hpp"

namespace ridgeline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
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

TEST(Counted, SharesAndBoundAreWhatWasCountedAndTheLeastTimeIsNot) {
  const auto at = place_counted(card(), DType::float32, 400e6, 100e6, 500e-6,
                                counted({{counter::dram_read_bytes, 1500e6},
                                         {counter::dram_write_bytes, 100e6},
                                         {counter::fp32_operations, 200e6},
                                         {counter::tensor_instructions, 0}}),
                                {});
  EXPECT_DOUBLE_EQ(at.bytes, 1600e6);
  EXPECT_EQ(at.bytes_source, Source::cupti);
  EXPECT_DOUBLE_EQ(at.operations, 200e6);
  EXPECT_EQ(at.operations_source, Source::cupti);
  EXPECT_DOUBLE_EQ(at.bandwidth_share, 0.8) << "of the bytes that moved";
  EXPECT_DOUBLE_EQ(at.roof_seconds, 100e-6) << "of the bytes that must";
  EXPECT_DOUBLE_EQ(at.headroom_seconds, 400e-6);
  EXPECT_EQ(at.bound, Bound::memory);
  EXPECT_EQ(find_counter(at.counters, counter::needed_bytes), 400e6);
}

TEST(Counted, ThePeakIsThatOfThePrecisionInWhichMostWasComputed) {
  const auto place = [&](std::string_view where) {
    return place_counted(card(), DType::bfloat16, 1e6, 4e9, 100e-6,
                         counted({{where, 4e9}, {counter::fp64_operations, 1e6}}), {})
        .compute_share;
  };
  EXPECT_NEAR(place(counter::tensor_bf16_operations), 0.05, 1e-4);
  EXPECT_NEAR(place(counter::fp32_operations), 0.8, 1e-3);
  EXPECT_NEAR(place(counter::fp16_operations), 0.4, 1e-3) << "pairs: twice the peak of float32";
  EXPECT_NEAR(place(counter::tensor_fp8_operations), 0.025, 1e-4)
      << "twice float16 where it was not measured";
}

TEST(Counted, LinesOfOthersThatAreWrittenBackAreNotTheCalls) {
  const auto traffic = [](std::vector<Counter> counters) {
    return place_counted(card(), DType::float32, 20e6, 10e6, 12e-6, std::move(counters), {});
  };
  const auto bounded = traffic(counted({{counter::dram_read_bytes, 16e6},
                                        {counter::dram_write_bytes, 30e6},
                                        {counter::l2_bytes, 22e6},
                                        {counter::l2_write_bytes, 4e6}}));
  EXPECT_DOUBLE_EQ(bounded.bytes, 20e6) << "no more is written than was stored";
  EXPECT_EQ(find_counter(bounded.counters, counter::dram_write_bytes), 30e6) << "as it was counted";
  const auto unbounded =
      traffic(counted({{counter::dram_read_bytes, 16e6}, {counter::dram_write_bytes, 28e6}}));
  EXPECT_DOUBLE_EQ(unbounded.bytes, 44e6);
  EXPECT_THAT(unbounded.diagnosis, Not(HasSubstr("compulsory"))) << "half the L2 may have been dirty before";
}

TEST(Counted, WhatWasNotCountedStaysAnalytic) {
  const auto nothing = place_counted(card(), DType::float32, 40e6, 1e9, 20e-6, {}, {});
  EXPECT_EQ(nothing.bytes_source, Source::analytic);
  EXPECT_DOUBLE_EQ(nothing.bandwidth_share, 0.5);
  const auto unknown_precision =
      place_counted(card(), DType::bfloat16, 40e6, 1e9, 20e-6,
                    counted({{counter::fp32_operations, 1e6}, {counter::tensor_instructions, 1000}}), {});
  EXPECT_EQ(unknown_precision.operations_source, Source::analytic);
  EXPECT_DOUBLE_EQ(unknown_precision.operations, 1e9);
}

TEST(Diagnosis, NearTheRoofOnlyMovingLessHelps) {
  const auto at = place_counted(card(), DType::float32, 400e6, 100e6, 110e-6,
                                counted({{counter::dram_read_bytes, 210e6},
                                         {counter::dram_write_bytes, 190e6},
                                         {counter::fp32_operations, 100e6},
                                         {counter::stall_long_scoreboard, 0.8}}),
                                {});
  EXPECT_THAT(at.diagnosis, AllOf(HasSubstr("Memory-bound at 1.1x"), HasSubstr("91 % of memory bandwidth"),
                                  HasSubstr("close to the roof"), Not(HasSubstr("long scoreboard"))));
}

TEST(Diagnosis, UncoalescedReadsShowInTrafficSectorsAndStalls) {
  const auto at = place_counted(card(), DType::float32, 400e6, 100e6, 480e-6,
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

TEST(Diagnosis, UncoalescedWritesMatterWhereStoresDo) {
  const auto storing = [](double stored) {
    return place_counted(card(), DType::float32, 134e6, 33e6, 70e-6,
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

TEST(Diagnosis, TrafficOfWholeSectorsIsDataFetchedAgain) {
  const auto at = place_counted(card(), DType::float32, 50e6, 17e9, 900e-6,
                                counted({{counter::dram_read_bytes, 900e6},
                                         {counter::dram_write_bytes, 16e6},
                                         {counter::fp32_operations, 17e9},
                                         {counter::load_bytes_per_sector, 32}}),
                                {});
  EXPECT_THAT(at.diagnosis, AllOf(HasSubstr("18.3x the compulsory bytes: data is fetched again"),
                                  Not(HasSubstr("coalesced"))));
}

TEST(Diagnosis, LowOccupancyNamesItsLimiter) {
  const auto with = [&](OccupancyLimit limit) {
    auto one = launch(4096, 90e-6, 0.25, 0.24, limit, 168);
    one.shared = 100 * 1024;
    return place_counted(card(), DType::float32, 100e6, 100e6, 100e-6,
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

TEST(Diagnosis, AnIdleTensorPipeOnAHalfPrecisionProduct) {
  const auto product = [&](double instructions, double share, std::vector<Counter> more) {
    auto counters = counted({{counter::dram_read_bytes, 30e6},
                             {counter::dram_write_bytes, 8e6},
                             {counter::tensor_instructions, instructions},
                             {counter::tensor_share, share}});
    counters.insert(counters.end(), more.begin(), more.end());
    return place_counted(card(), DType::bfloat16, 40e6, 34e9, 1e-3, std::move(counters), {}).diagnosis;
  };
  EXPECT_THAT(product(0, 0, counted({{counter::fp32_operations, 34e9}})),
              AllOf(HasSubstr("Compute-bound"),
                    HasSubstr("the tensor pipe is idle though the operands are bfloat16")));
  EXPECT_THAT(product(1e6, 0.12, counted({{counter::tensor_bf16_operations, 34e9}})),
              HasSubstr("the tensor pipe is busy in 12 % of the cycles only"));
  auto one = launch(4096, 900e-6, 0.25, 0.24);
  const auto first = place_counted(card(), DType::bfloat16, 40e6, 34e9, 1e-3,
                                   counted({{counter::dram_read_bytes, 900e6},
                                            {counter::dram_write_bytes, 8e6},
                                            {counter::tensor_instructions, 0},
                                            {counter::fp32_operations, 34e9}}),
                                   std::vector{one, one})
                         .diagnosis;
  EXPECT_LT(first.find("the tensor pipe is idle"), first.find("compulsory")) << first;
  EXPECT_LT(first.find("the tensor pipe is idle"), first.find("of its 2 kernels")) << first;
  const auto pointwise = place_counted(card(), DType::bfloat16, 400e6, 100e6, 200e-6,
                                       counted({{counter::dram_read_bytes, 200e6},
                                                {counter::dram_write_bytes, 200e6},
                                                {counter::fp32_operations, 100e6},
                                                {counter::tensor_instructions, 0}}),
                                       {});
  EXPECT_THAT(pointwise.diagnosis, Not(HasSubstr("tensor"))) << "pointwise work has no use for it";
}

TEST(Diagnosis, AHandfulOfBlocksLeavesTheCardIdle) {
  const auto at = place_counted(card(), DType::float32, 8e6, 1e6, 100e-6,
                                counted({{counter::dram_read_bytes, 4e6},
                                         {counter::dram_write_bytes, 4e6},
                                         {counter::fp32_operations, 1e6},
                                         {counter::sm_active_share, 0.06},
                                         {counter::stall_barrier, 0.4}}),
                                std::vector{launch(8, 98e-6, 1, 0.13)});
  EXPECT_EQ(at.bound, Bound::latency);
  EXPECT_THAT(at.diagnosis,
              AllOf(HasSubstr("Neither roof explains the time"),
                    HasSubstr("8 blocks leave most of the 132 multiprocessors idle"),
                    HasSubstr("warps wait for each other at barriers (barrier 40 % of their time)")));
}

TEST(Diagnosis, ManyShortKernelsAreLaunchesMostly) {
  const auto at = place_counted(
      card(), DType::float32, 1e6, 1e5, 40e-6,
      counted({{counter::dram_read_bytes, 1e6}, {counter::dram_write_bytes, 0}}),
      std::vector{launch(200, 4e-6, 1, 0.5), launch(200, 3e-6, 1, 0.5), launch(200, 5e-6, 1, 0.5)});
  EXPECT_THAT(at.diagnosis,
              HasSubstr("its 3 kernels run for 12.0 µs of 40.0 µs, the rest is launches and gaps"));
}

TEST(Diagnosis, OfSeveralKernelsTheLongestIsNamed) {
  auto first = launch(4096, 60e-6, 1, 0.9);
  first.kernel = "partial_sums";
  const auto at = place_counted(card(), DType::float32, 100e6, 1e6, 85e-6,
                                counted({{counter::dram_read_bytes, 100e6}, {counter::dram_write_bytes, 0}}),
                                std::vector{first, launch(200, 20e-6, 1, 0.5)});
  EXPECT_THAT(at.diagnosis, HasSubstr("`partial_sums` takes 75 % of the time of its 2 kernels"));
}

TEST(Diagnosis, DoublesThatNobodyAskedFor) {
  const auto doubles = [&](DType dtype, double singles = 0.5e9) {
    return place_counted(card(), dtype, 100e6, 1e9, 100e-6,
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

TEST(Diagnosis, SaysAtMostThreeCauses) {
  const auto at = place_counted(card(), DType::bfloat16, 40e6, 34e9, 1e-3,
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

std::vector<Counter> believable() {
  return counted({{counter::gpu_seconds, 105e-6},
                  {counter::dram_read_bytes, 200e6},
                  {counter::dram_write_bytes, 190e6},
                  {counter::fp32_operations, 100e6},
                  {counter::dram_share, 0.9},
                  {counter::stall_long_scoreboard, 0.7},
                  {counter::stall_wait, 0.2}});
}

std::vector<Counter> with(std::vector<Counter> counters, std::string_view name, double value) {
  for (auto& one : counters)
    if (one.name == name) one.value = value;
  return counters;
}

TEST(Doubts, NoneWhereNothingContradicts) {
  EXPECT_THAT(doubts_about(believable(), card(), 400e6, 110e-6), IsEmpty());
  EXPECT_THAT(doubts_about({}, card(), 400e6, 110e-6), IsEmpty());
  const auto small = counted(
      {{counter::gpu_seconds, 1.9e-6}, {counter::dram_read_bytes, 4e6}, {counter::dram_write_bytes, 0}});
  EXPECT_THAT(doubts_about(small, card(), 8e6, 3e-6), IsEmpty()) << "what is written may stay in the cache";
}

TEST(Doubts, AnotherTimeThanTheJudges) {
  EXPECT_THAT(doubts_about(with(believable(), counter::gpu_seconds, 20e-6), card(), 400e6, 110e-6),
              testing::Contains(HasSubstr("20.0 µs where the judge's clock saw 110.0 µs")));
  EXPECT_EQ(doubts_about(with(believable(), counter::gpu_seconds, 5e-3), card(), 400e6, 110e-6).size(), 1u);
}

TEST(Doubts, LessTrafficThanMustBe) {
  const auto doubts =
      doubts_about(with(with(believable(), counter::dram_read_bytes, 1e6), counter::dram_write_bytes, 0),
                   card(), 400e6, 110e-6);
  EXPECT_THAT(doubts,
              testing::ElementsAre(HasSubstr("1000000 bytes of DRAM traffic where 400000000 are needed")));
}

TEST(Doubts, WhatOthersLeftInTheCacheIsNoneOfThem) {
  const auto short_call = counted({{counter::gpu_seconds, 5e-6},
                                   {counter::dram_read_bytes, 4e6},
                                   {counter::dram_write_bytes, 27e6},
                                   {counter::l2_write_bytes, 4e6}});
  EXPECT_THAT(doubts_about(short_call, card(), 8e6, 6e-6), IsEmpty());
}

TEST(Doubts, MoreThanTheCardCan) {
  EXPECT_EQ(doubts_about(with(believable(), counter::dram_read_bytes, 2e9), card(), 400e6, 110e-6).size(),
            1u);
  EXPECT_EQ(doubts_about(with(believable(), counter::fp32_operations, 1e12), card(), 400e6, 110e-6).size(),
            1u);
  EXPECT_EQ(doubts_about(with(believable(), counter::dram_share, 1.4), card(), 400e6, 110e-6).size(), 1u);
  EXPECT_EQ(doubts_about(with(believable(), counter::stall_wait, 0.9), card(), 400e6, 110e-6).size(), 1u);
}

}  // namespace
}  // namespace ridgeline
