// Whatever a candidate's process writes on its counter sheet, what is read of it is bounded and finite.
#include "engine/worker/judge/profile/sheet_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "engine/core/counters.hpp"

namespace ridgeline::judge {
namespace {

using profiler::MetricSet;
using runner::CounterSheet;

/// A sheet of one case, whose call was one launch.
class SheetReader : public testing::Test {
 protected:
  SheetReader() {
    sheet_->range_count = 1;
    sheet_->launch_counts[0] = 1;
    sheet_->launches[0].block = {256, 1, 1};
  }
  void set(std::string_view metric, double value) {
    const auto& metrics = profiler::metrics_of(MetricSet::plain);
    const auto at = std::ranges::find(metrics, metric);
    ASSERT_NE(at, metrics.end());
    sheet_->values[0][static_cast<std::size_t>(at - metrics.begin())] = value;
  }
  SheetRows read() const {
    const std::vector<PassCall> calls = {{0, true, true}};
    return read_sheet(*sheet_, MetricSet::plain, calls, {}, 1).at(0);
  }

  std::unique_ptr<CounterSheet> sheet_ = std::make_unique<CounterSheet>();
};

TEST_F(SheetReader, ReadsWhatWasCountedOfALoneLaunch) {
  set("dram__bytes_read.sum", 4096);
  const auto rows = read();
  ASSERT_TRUE(rows.call) << rows.why_not;
  const auto counted = counted_call(MetricSet::plain, rows, "small");
  EXPECT_EQ(find_counter(counted.counters, counter::dram_read_bytes), 4096);
  ASSERT_EQ(counted.launches.size(), 1u);
  EXPECT_EQ(counted.launches[0].case_name, "small");
  EXPECT_EQ(counted.launches[0].block[0], 256);
}

/// 1e308 sectors are finite, and were an infinite number of bytes, which ended whoever read the verdict.
TEST_F(SheetReader, CountsThatNoCallReachesAreNotThere) {
  for (const auto* metric : {"lts__t_sectors_op_write.sum", "dram__bytes_read.sum", "dram__bytes_write.sum",
                             "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum"})
    set(metric, 1e308);
  const auto counted = counted_call(MetricSet::plain, read(), "small");
  for (const auto& one : counted.counters) EXPECT_TRUE(std::isfinite(one.value)) << one.name;
  EXPECT_FALSE(find_counter(counted.counters, counter::l2_write_bytes));
  EXPECT_TRUE(std::isfinite(counted.launches.at(0).dram_bytes));
}

TEST_F(SheetReader, ANameThatStandsForGigabytesIsNotWrittenOut) {
  std::string name = "_Z1fI1aIiE";
  for (char level = '0'; level <= '9'; ++level) {
    const auto before = std::string("S") + level + "_";
    name += "S_I" + before + before + before + before + "E";
  }
  name.copy(sheet_->launches[0].kernel.data(), sheet_->launches[0].kernel.size());
  EXPECT_EQ(counted_call(MetricSet::plain, read(), "small").launches.at(0).kernel, "f");
}

TEST_F(SheetReader, RowsOfCallsThatWereNotMadeAreNoRows) {
  sheet_->range_count = ~std::uint32_t{0};
  sheet_->calls.fill(~std::uint32_t{0});
  EXPECT_FALSE(read().call);
  EXPECT_TRUE(read().launches.empty());
}

}  // namespace
}  // namespace ridgeline::judge
