// The host half of CUPTI needs a library and no GPU: what will be counted on an H100 or H200 is planned here.
#include "engine/cuda/metric_host.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/core/error.hpp"
#include "profiler/device_metrics.hpp"

namespace ridgeline::cuda {
namespace {

using profiler::metrics_of;
using profiler::MetricSet;

class MetricHostTest : public testing::Test {
 protected:
  Cupti cupti_ = load_cupti(RIDGELINE_CUPTI_LIBRARY);
};

TEST_F(MetricHostTest, AnH100CountsEverySetInFewPasses) {
  const MetricHost host(cupti_, "GH100");
  const std::pair<MetricSet, std::size_t> most[] = {{MetricSet::plain, 4},          {MetricSet::tensor, 7},
                                                    {MetricSet::narrow_tensor, 11}, {MetricSet::brief, 4},
                                                    {MetricSet::all_plain, 5},      {MetricSet::all, 11}};
  for (const auto& [set, passes] : most) {
    const auto config = host.configure(metrics_of(set));
    EXPECT_LE(config.passes, passes);
    EXPECT_FALSE(config.image.empty());
    for (std::size_t i = 0; i < config.unknown.size(); ++i)
      EXPECT_FALSE(config.unknown[i]) << metrics_of(set)[i];
  }
}

TEST_F(MetricHostTest, OtherChipsLeaveOutTheMetricsThatTheyLack) {
  const MetricHost host(cupti_, "GA100");
  const auto config = host.configure(metrics_of(MetricSet::brief));
  EXPECT_GT(config.passes, 0u);
  for (std::size_t i = 0; i < config.unknown.size(); ++i) {
    const auto& metric = metrics_of(MetricSet::brief)[i];
    EXPECT_EQ(config.unknown[i], metric == "smsp__warps_issue_stalled_gmma.sum") << metric;
  }
}

TEST_F(MetricHostTest, UnknownNamesDoNotSpoilTheOthers) {
  const MetricHost host(cupti_, "GH100");
  const std::vector<std::string> metrics{"dram__bytes_read.sum", "nobody__counts_this.sum"};
  const auto config = host.configure(metrics);
  EXPECT_EQ(config.unknown, (std::vector<bool>{false, true}));
  EXPECT_EQ(config.passes, 1u);
  EXPECT_THROW(host.configure(std::vector<std::string>{"nobody__counts_this.sum"}), CuptiRefused);
}

TEST_F(MetricHostTest, ABrokenImageGivesNoValues) {
  const MetricHost host(cupti_, "GH100");
  const std::vector<std::uint8_t> image(4096, 0);
  const auto values = host.evaluate(image, 0, metrics_of(MetricSet::tensor));
  ASSERT_EQ(values.size(), metrics_of(MetricSet::tensor).size());
  for (const double value : values) EXPECT_TRUE(std::isnan(value));
}

TEST_F(MetricHostTest, RefusesAnUnknownChip) {
  try {
    const MetricHost host(cupti_, "XX999");
    FAIL();
  } catch (const CuptiRefused& refused) {
    EXPECT_NE(std::string(refused.what()).find("XX999"), std::string::npos) << refused.what();
  }
  EXPECT_THROW(load_cupti("/nowhere/libcupti.so.13"), MachineCannot);
}

}  // namespace
}  // namespace ridgeline::cuda
