// Calls placed by counters, on invented numbers of an invented card.
#include <gtest/gtest.h>

#include "engine/core/counters.hpp"
#include "engine/core/roofline.hpp"
#include "tests/engine/core/sample_card.hpp"

namespace ridgeline {
namespace {

using samples::card;
using samples::counted;

TEST(CountedRoofline, TakesSharesAndBoundFromCountersAndTheLeastTimeFromTheDefinition) {
  const auto at = place_counted(card(), DType::float32, 400e6, 100e6, 500e-6,
                                counted({{counter::dram_read_bytes, 1500e6},
                                         {counter::dram_write_bytes, 100e6},
                                         {counter::fp32_operations, 200e6},
                                         {counter::tensor_instructions, 0}}));
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

TEST(CountedRoofline, ComparesWithThePeakOfThePrecisionInWhichMostWasComputed) {
  const auto place = [&](std::string_view where) {
    return place_counted(card(), DType::bfloat16, 1e6, 4e9, 100e-6,
                         counted({{where, 4e9}, {counter::fp64_operations, 1e6}}))
        .compute_share;
  };
  EXPECT_NEAR(place(counter::tensor_bf16_operations), 0.05, 1e-4);
  EXPECT_NEAR(place(counter::fp32_operations), 0.8, 1e-3);
  EXPECT_NEAR(place(counter::fp16_operations), 0.4, 1e-3) << "pairs: twice the peak of float32";
  EXPECT_NEAR(place(counter::tensor_fp8_operations), 0.025, 1e-4)
      << "twice float16 where it was not measured";
}

TEST(CountedRoofline, CountsNoMoreDramWritesThanTheCallStoredIntoTheL2) {
  const auto traffic = [](std::vector<Counter> counters) {
    return place_counted(card(), DType::float32, 20e6, 10e6, 12e-6, std::move(counters));
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
}

TEST(CountedRoofline, KeepsAnalyticCountsForWhatWasNotCounted) {
  const auto nothing = place_counted(card(), DType::float32, 40e6, 1e9, 20e-6, {});
  EXPECT_EQ(nothing.bytes_source, Source::analytic);
  EXPECT_DOUBLE_EQ(nothing.bandwidth_share, 0.5);
  const auto unknown_precision =
      place_counted(card(), DType::bfloat16, 40e6, 1e9, 20e-6,
                    counted({{counter::fp32_operations, 1e6}, {counter::tensor_instructions, 1000}}));
  EXPECT_EQ(unknown_precision.operations_source, Source::analytic);
  EXPECT_DOUBLE_EQ(unknown_precision.operations, 1e9);
}

}  // namespace
}  // namespace ridgeline
