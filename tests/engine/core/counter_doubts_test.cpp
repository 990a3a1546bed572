// Counters that contradict what the judge knows.
#include "engine/core/counter_doubts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/counters.hpp"
#include "tests/engine/core/sample_card.hpp"

namespace ridgeline {
namespace {

using samples::card;
using samples::counted;
using testing::HasSubstr;
using testing::IsEmpty;

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

TEST(CounterDoubts, AreNoneWhereNothingContradicts) {
  EXPECT_THAT(doubts_about(believable(), card(), 400e6, 110e-6), IsEmpty());
  EXPECT_THAT(doubts_about({}, card(), 400e6, 110e-6), IsEmpty());
  const auto small = counted(
      {{counter::gpu_seconds, 1.9e-6}, {counter::dram_read_bytes, 4e6}, {counter::dram_write_bytes, 0}});
  EXPECT_THAT(doubts_about(small, card(), 8e6, 3e-6), IsEmpty()) << "what is written may stay in the cache";
}

TEST(CounterDoubts, NameATimeThatIsNotTheJudges) {
  EXPECT_THAT(doubts_about(with(believable(), counter::gpu_seconds, 20e-6), card(), 400e6, 110e-6),
              testing::Contains(HasSubstr("20.0 µs where the judge's clock saw 110.0 µs")));
  EXPECT_EQ(doubts_about(with(believable(), counter::gpu_seconds, 5e-3), card(), 400e6, 110e-6).size(), 1u);
}

TEST(CounterDoubts, NameLessTrafficThanMustMove) {
  const auto doubts =
      doubts_about(with(with(believable(), counter::dram_read_bytes, 1e6), counter::dram_write_bytes, 0),
                   card(), 400e6, 110e-6);
  EXPECT_THAT(doubts,
              testing::ElementsAre(HasSubstr("1000000 bytes of DRAM traffic where 400000000 are needed")));
}

TEST(CounterDoubts, PassOverLinesThatOtherWorkLeftInTheCache) {
  const auto short_call = counted({{counter::gpu_seconds, 5e-6},
                                   {counter::dram_read_bytes, 4e6},
                                   {counter::dram_write_bytes, 27e6},
                                   {counter::l2_write_bytes, 4e6}});
  EXPECT_THAT(doubts_about(short_call, card(), 8e6, 6e-6), IsEmpty());
}

TEST(CounterDoubts, NameRatesThatTheCardCannotReach) {
  EXPECT_EQ(doubts_about(with(believable(), counter::dram_read_bytes, 2e9), card(), 400e6, 110e-6).size(),
            1u);
  EXPECT_EQ(doubts_about(with(believable(), counter::fp32_operations, 1e12), card(), 400e6, 110e-6).size(),
            1u);
  EXPECT_EQ(doubts_about(with(believable(), counter::dram_share, 1.4), card(), 400e6, 110e-6).size(), 1u);
  EXPECT_EQ(doubts_about(with(believable(), counter::stall_wait, 0.9), card(), 400e6, 110e-6).size(), 1u);
}

TEST(CounterDoubts, NameKernelsThatRanForLongerThanTheCall) {
  const auto timed = [](double time) {
    return doubt_about_kernel_time(counted({{counter::kernel_seconds, time}}), card(), 1e6, 10e-6);
  };
  EXPECT_EQ(timed(8e-6), "") << "a launch is no part of its kernel";
  EXPECT_EQ(timed(12.9e-6), "");
  EXPECT_EQ(timed(13.1e-6), "its kernels' spans add up to 13.1 µs where the judge's clock saw 10.0 µs");
  EXPECT_EQ(doubt_about_kernel_time(believable(), card(), 400e6, 110e-6), "") << "it was not counted";
  EXPECT_THAT(doubts_about(counted({{counter::kernel_seconds, 1}}), card(), 400e6, 110e-6), IsEmpty())
      << "other counters are of other calls";
}

TEST(CounterDoubts, NameKernelsThatRanForTooShortToMoveTheirBytes) {
  const auto timed = [](double time, double needed_bytes) {
    return doubt_about_kernel_time(counted({{counter::kernel_seconds, time}}), card(), needed_bytes, 110e-6);
  };
  // Four fifths of the 350 MB that no cache holds, at five fourths of the bandwidth: 56 µs.
  EXPECT_EQ(timed(55e-6, 400e6),
            "its kernels' spans add up to 55.0 µs, in which 400000000 bytes cannot be moved");
  EXPECT_EQ(timed(57e-6, 400e6), "");
  EXPECT_EQ(timed(1e-6, 50e6), "") << "a cache may hold all of it";
}

}  // namespace
}  // namespace ridgeline
