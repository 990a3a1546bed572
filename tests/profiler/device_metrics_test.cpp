#include "profiler/device_metrics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "engine/core/counters.hpp"
#include "engine/worker/runner/counter_sheet.hpp"

namespace ridgeline::profiler {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

TEST(DeviceMetrics, EverySetFitsACounterSheetAndNamesNoMetricTwice) {
  for (const auto set : metric_sets) {
    const auto& metrics = metrics_of(set);
    EXPECT_EQ(std::set<std::string>(metrics.begin(), metrics.end()).size(), metrics.size());
    EXPECT_LE(metrics.size(), runner::kMaxMetrics);
    for (const auto& metric : metrics) EXPECT_LT(metric.size(), runner::kMaxMetricName) << metric;
  }
}

TEST(DeviceMetrics, CountsTheTensorPipeOnlyForCandidatesThatMayUseIt) {
  const auto set_for = [](Language language, const char* source) {
    return metrics_for(make_candidate(language, source), DType::float32);
  };
  EXPECT_EQ(set_for(Language::cuda, "x[i] = 2 * y[i];"), MetricSet::plain);
  EXPECT_EQ(set_for(Language::cuda, "#include <mma.h>"), MetricSet::tensor);
  EXPECT_EQ(set_for(Language::cuda, "asm(\"wgmma.mma_async\")"), MetricSet::tensor);
  EXPECT_EQ(set_for(Language::torch, "x @ y"), MetricSet::tensor) << "libraries do";

  const MetricValues counted{{"gpu__time_duration.sum", 1}};
  const auto plain = counters_of(MetricSet::plain, counted);
  EXPECT_EQ(find_counter(plain, counter::tensor_instructions), 0) << "by its source";
  EXPECT_EQ(plain.back().source, Source::analytic);
  EXPECT_FALSE(find_counter(counters_of(MetricSet::tensor, counted), counter::tensor_instructions));
}

TEST(DeviceMetrics, CountsProductsOfNarrowTypesOnlyWhereOneIsNamed) {
  const auto set_for = [](const char* source, DType dtype = DType::float32) {
    return metrics_for(make_candidate(Language::torch, source), dtype);
  };
  EXPECT_EQ(set_for("torch.matmul(x, y)"), MetricSet::tensor);
  EXPECT_EQ(set_for("torch.matmul(x, y)", DType::bfloat16), MetricSet::narrow_tensor) << "by the task";
  for (const char* source : {"x.half()", "x.to(torch.bfloat16)", "x.to(torch.float16)", "__half2 a;",
                             "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "torch.autocast('cuda')",
                             "torch.set_float32_matmul_precision('medium')", "wmma::fragment<signed char>"})
    EXPECT_EQ(set_for(source), MetricSet::narrow_tensor) << source;
  const auto has = [](MetricSet set, std::string_view part) {
    return std::ranges::any_of(metrics_of(set),
                               [&](const auto& one) { return one.find(part) != std::string::npos; });
  };
  for (const char* narrow : {"src_bf16", "src_fp16", "src_int8"}) {
    EXPECT_FALSE(has(MetricSet::tensor, narrow)) << narrow;
    EXPECT_TRUE(has(MetricSet::narrow_tensor, narrow)) << narrow;
  }
  EXPECT_TRUE(has(MetricSet::tensor, "src_tf32")) << "libraries take it for products of float32";
}

TEST(DeviceMetrics, EverythingIsCountedOfThoseWhoAsk) {
  const auto set_for = [](Language language, const char* source) {
    return metrics_for(make_candidate(language, source), DType::float32, /*everything=*/true);
  };
  EXPECT_EQ(set_for(Language::cuda, "x[i] = 2 * y[i];"), MetricSet::all_plain);
  EXPECT_EQ(set_for(Language::torch, "x @ y"), MetricSet::all);
  const auto counters = counters_of(MetricSet::all_plain, {{"gpu__time_duration.sum", 1}});
  EXPECT_EQ(find_counter(counters, counter::tensor_instructions), 0) << "by its source";
}

/// What the usual sets leave out is in `all`: nothing is lost to those who ask.
TEST(DeviceMetrics, AllHoldsEveryOtherSet) {
  const auto& all = metrics_of(MetricSet::all);
  for (const auto set : metric_sets)
    for (const auto& metric : metrics_of(set)) EXPECT_NE(std::ranges::find(all, metric), all.end()) << metric;
}

TEST(DeviceMetrics, LeavesOutValuesThatAreNoNumbers) {
  const std::vector<std::string> metrics{"a", "b", "c", "d"};
  const double values[] = {1, nothing, -1, std::numeric_limits<double>::infinity()};
  EXPECT_EQ(to_metric_values(metrics, values), (MetricValues{{"a", 1}}));
}

TEST(DeviceMetrics, NothingThatIsComputedFromAnyValuesIsInfinite) {
  constexpr double some[] = {1e308, 1e18, 1, 1e-9, 5e-324, 0};
  for (const auto set : metric_sets) {
    const auto& metrics = metrics_of(set);
    for (const double all : some)
      for (const double one : some)
        for (std::size_t other = 0; other < metrics.size(); ++other) {
          std::vector<double> values(metrics.size(), all);
          values[other] = one;
          const auto paired = to_metric_values(metrics, values.data());
          for (const auto& counter : counters_of(set, paired))
            EXPECT_TRUE(std::isfinite(counter.value)) << counter.name << " from " << metrics[other];
          KernelLaunch launch;
          set_measured(launch, paired);
          EXPECT_TRUE(std::isfinite(launch.dram_bytes)) << metrics[other];
        }
  }
}

TEST(DeviceMetrics, TurnsInstructionsIntoOperationsByPrecision) {
  const auto name = [](const char* op) {
    return std::string("smsp__sass_thread_inst_executed_op_") + op + "_pred_on.sum";
  };
  const auto counters = counters_of(MetricSet::tensor, {{name("fadd"), 10},
                                                        {name("fmul"), 20},
                                                        {name("ffma"), 100},
                                                        {name("hfma"), 5},
                                                        {name("hadd"), 1},
                                                        {name("dfma"), 3},
                                                        {"sm__ops_path_tensor_src_bf16_dst_fp32.sum", 4096}});
  EXPECT_EQ(find_counter(counters, counter::fp32_operations), 230);
  EXPECT_EQ(find_counter(counters, counter::fp16_operations), 22) << "each works on a pair";
  EXPECT_EQ(find_counter(counters, counter::fp64_operations), 6);
  EXPECT_EQ(find_counter(counters, counter::tensor_bf16_operations), 4096);
  EXPECT_FALSE(find_counter(counters, counter::tensor_fp16_operations)) << "not counted is not 0";
}

TEST(DeviceMetrics, ConvertsToSecondsAndShares) {
  const auto counters =
      counters_of(MetricSet::tensor, {{"gpu__time_duration.sum", 12500},
                                      {"gpc__cycles_elapsed.max", 20000},
                                      {"sm__cycles_active.avg", 15000},
                                      {"dram__throughput.avg.pct_of_peak_sustained_elapsed", 62.5},
                                      {"smsp__warps_active.sum", 1000},
                                      {"smsp__warps_issue_stalled_long_scoreboard.sum", 620},
                                      {"smsp__warps_issue_stalled_wait.sum", 80}});
  EXPECT_DOUBLE_EQ(find_counter(counters, counter::gpu_seconds).value_or(0), 12.5e-6);
  EXPECT_DOUBLE_EQ(find_counter(counters, counter::dram_share).value_or(0), 0.625);
  EXPECT_DOUBLE_EQ(find_counter(counters, counter::sm_active_share).value_or(0), 0.75);
  EXPECT_DOUBLE_EQ(find_counter(counters, counter::stall_long_scoreboard).value_or(0), 0.62);
  EXPECT_EQ(longest_stall(counters)->name, counter::stall_long_scoreboard);
  for (const auto& one : counters) EXPECT_EQ(one.source, Source::cupti);
}

TEST(DeviceMetrics, GivesNoCountersIfNothingWasCounted) {
  EXPECT_TRUE(counters_of(MetricSet::tensor, {}).empty());
  EXPECT_TRUE(counters_of(MetricSet::plain, {}).empty());
  const auto idle = counters_of(MetricSet::tensor,
                                {{"smsp__warps_active.sum", 0}, {"smsp__warps_issue_stalled_wait.sum", 0}});
  EXPECT_FALSE(find_counter(idle, counter::stall_wait)) << "a share of nothing";
}

TEST(DeviceMetrics, CopiesAKernelsRangeIntoItsLaunch) {
  KernelLaunch launch;
  set_measured(launch, {{"gpu__time_duration.sum", 4000},
                        {"dram__bytes_read.sum", 100},
                        {"dram__bytes_write.sum", 20},
                        {"sm__warps_active.avg.pct_of_peak_sustained_active", 50}});
  EXPECT_DOUBLE_EQ(launch.seconds, 4e-6);
  EXPECT_EQ(launch.dram_bytes, 120);
  EXPECT_EQ(launch.achieved_occupancy, 0.5);
}

TEST(DeviceMetrics, BoundsALaunchsDramWritesByItsSectorsOfWritesAndAtomics) {
  const MetricValues values{{"dram__bytes_read.sum", 100},
                            {"dram__bytes_write.sum", 27e6},
                            {"lts__t_sectors_op_write.sum", 10},
                            {"lts__t_sectors_op_red.sum", 2},
                            {"lts__t_sectors_op_atom.sum", 1}};
  EXPECT_EQ(find_counter(counters_of(MetricSet::plain, values), counter::l2_write_bytes), 13 * 32);
  KernelLaunch launch;
  set_measured(launch, values);
  EXPECT_EQ(launch.dram_bytes, 100 + 13 * 32);
  auto partly = values;
  partly.erase("lts__t_sectors_op_red.sum");
  EXPECT_FALSE(find_counter(counters_of(MetricSet::plain, partly), counter::l2_write_bytes))
      << "a part is no bound";
}

}  // namespace
}  // namespace ridgeline::profiler
