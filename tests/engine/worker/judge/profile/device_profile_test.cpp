// The profile stage of a GPU where there is none: what is said, and what stands in.
#include "engine/worker/judge/profile/device_profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/core/error.hpp"
#include "engine/worker/judge/backends/host_backend.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {
namespace {

using profiler::MetricSet;
using runner::CounterSheet;
using testing::HasSubstr;

class DeviceProfileTest : public testing::Test {
 protected:
  DeviceProfileTest() {
    ceilings_.bandwidth = 4e12;
    ceilings_.peaks = {{"fp32", 50e12}};
    verdict_.timing.emplace();
    verdict_.timing->cases.push_back({.case_name = "ragged", .cold = {.median = 1e-5}});
    verdict_.at(Stage::timing).status = Status::passed;
  }
  static RunnerSettings settings() {
    static const auto level = sandbox::best_level(sandbox::probe_isolation());
    RunnerSettings settings;
    settings.program = RIDGELINE_BIN_DIR "/ridgeline-runner";
    settings.scratch_parent = std::filesystem::temp_directory_path();
    settings.level = level;
    return settings;
  }
  void profile(const DeviceCounting& counting) {
    profile_on_device(prepared_,
                      {pool_, ahead_, counting, artefact_, 1.0, RunnerKind::counting, MetricSet::plain},
                      ceilings_, verdict_);
  }
  void expect_analytic() {
    const auto& stage = verdict_.at(Stage::profile);
    EXPECT_EQ(stage.status, Status::unavailable);
    EXPECT_EQ(stage.reason, Reason::counters_refused);
    ASSERT_EQ(verdict_.rooflines.size(), 1u);
    EXPECT_EQ(verdict_.rooflines[0].case_name, "ragged");
    EXPECT_EQ(verdict_.rooflines[0].bytes_source, Source::analytic);
    EXPECT_GT(verdict_.rooflines[0].bytes, 0);
    EXPECT_TRUE(verdict_.rooflines[0].counters.empty());
    EXPECT_TRUE(verdict_.launches.empty());
    EXPECT_FALSE(verdict_.cheated);
  }

  HostBackend backend_;
  PreparedTask prepared_{testcase_task("vector_add"), 7, backend_};
  RunnerProcessFactory factory_{settings(), std::nullopt, "/nowhere/libcupti.so.13"};
  RunnerPool pool_{factory_};
  CountersAhead ahead_{pool_};
  std::filesystem::path artefact_ = "/nowhere/candidate.so";
  Ceilings ceilings_;
  Verdict verdict_;
};

TEST_F(DeviceProfileTest, WithoutCountersTheResultSaysWhy) {
  profile({.library = std::nullopt, .why_not = "no libcupti.so.13; fix: install it"});
  expect_analytic();
  EXPECT_THAT(verdict_.at(Stage::profile).detail, HasSubstr("no libcupti.so.13; fix: install it"));
}

TEST_F(DeviceProfileTest, ARunnerThatRefusesIsTheReason) {
  profile({.library = "/nowhere/libcupti.so.13"});  // on this machine the runner has no device to count on
  expect_analytic();
  EXPECT_THAT(verdict_.at(Stage::profile).detail, HasSubstr("preparing: this runner counts nothing"));
}

TEST_F(DeviceProfileTest, WithoutCuptiNoRunnerCounts) {
  RunnerProcessFactory without_cupti(settings(), std::nullopt, std::nullopt);
  RunnerPool none(without_cupti);
  EXPECT_THROW(none.take(RunnerKind::counting), MachineCannot);
  CounterConfigs configs;
  DeviceCounters counters(none, configs, MetricSet::plain, RunnerKind::counting);
  counters.load(artefact_, prepared_.task(), 1.0);
  PreparedCase* const one = prepared_.cases().front().get();
  const auto counted = counters.count(prepared_, {&one, 1});
  ASSERT_EQ(counted.size(), 1u);
  EXPECT_THAT(counted[0].why_not, HasSubstr("nothing here counts"));
}

TEST_F(DeviceProfileTest, APassThatCannotBeOpenedAheadSaysWhyWhenItIsTaken) {
  CountersAhead ahead(pool_);  // whose runners have no device
  ahead.begin(RunnerKind::counting, MetricSet::plain);
  ahead.begin(RunnerKind::counting, MetricSet::tensor);
  EXPECT_FALSE(ahead.opening());
  const auto taken = ahead.take(RunnerKind::counting, MetricSet::tensor);
  ASSERT_TRUE(taken);
  EXPECT_TRUE(taken->serves(RunnerKind::counting, MetricSet::tensor));
  EXPECT_THAT(taken->why_not(), HasSubstr("this runner counts nothing"));
  ahead.give_up();
}

TEST(CounterConfigs, TheFirstRunnerMakesAConfigurationAndLaterRunnersGetIt) {
  CounterConfigs configs;
  const auto first = configs.sheet_for(MetricSet::tensor, Rows::few);
  auto& sheet = *reinterpret_cast<CounterSheet*>(first.data());
  EXPECT_EQ(sheet.config_bytes, 0u);
  EXPECT_EQ(sheet.metrics, profiler::metrics_of(MetricSet::tensor).size());
  EXPECT_EQ(sheet.names[0].data(), profiler::metrics_of(MetricSet::tensor)[0]);
  sheet.config_bytes = 3;  // as a runner does
  sheet.config[2] = 9;
  sheet.passes = 2;
  sheet.unknown[1] = 1;
  configs.keep(MetricSet::tensor, first);
  EXPECT_EQ(configs.passes(MetricSet::tensor), 2u);
  EXPECT_THAT(configs.unknown(), testing::ElementsAre(profiler::metrics_of(MetricSet::tensor)[1]));

  const auto later = configs.sheet_for(MetricSet::tensor, Rows::few);
  const auto& given = *reinterpret_cast<const CounterSheet*>(later.data());
  EXPECT_EQ(given.config_bytes, 3u);
  EXPECT_EQ(given.config[2], 9);
  EXPECT_EQ(given.unknown[1], 1);
  sheet.passes = 100;
  configs.keep(MetricSet::tensor, first);
  EXPECT_EQ(configs.passes(MetricSet::tensor), 2u) << "a candidate has been near the sheet since";
}

TEST(CounterConfigs, AFewRowsAreAskedForUnlessATaskWantsMore) {
  const CounterConfigs configs;
  const auto few = configs.sheet_for(MetricSet::plain, Rows::few),
             many = configs.sheet_for(MetricSet::plain, Rows::many);
  const auto& small = *reinterpret_cast<const CounterSheet*>(few.data());
  const auto& large = *reinterpret_cast<const CounterSheet*>(many.data());
  EXPECT_EQ(small.most_launches, runner::kFewLaunches);
  EXPECT_EQ(small.most_calls, runner::kFewCalls);
  EXPECT_EQ(large.most_launches, runner::kMaxLaunches);
  EXPECT_EQ(large.most_calls, runner::kMaxCalls);
}

TEST_F(DeviceProfileTest, ASessionWithFewRowsServesNoTaskThatWantsMore) {
  CountersAhead ahead(pool_);
  ahead.expect("a");
  EXPECT_TRUE(ahead.take(RunnerKind::counting, MetricSet::plain)
                  ->serves(RunnerKind::counting, MetricSet::plain, Rows::few));
  ahead.expect_many_rows("a");
  EXPECT_TRUE(ahead.take(RunnerKind::counting, MetricSet::plain)
                  ->serves(RunnerKind::counting, MetricSet::plain, Rows::many));
  ahead.expect("b");
  EXPECT_FALSE(ahead.take(RunnerKind::counting, MetricSet::plain)
                   ->serves(RunnerKind::counting, MetricSet::plain, Rows::many));
  ahead.expect("a");
  EXPECT_TRUE(ahead.take(RunnerKind::counting, MetricSet::plain)
                  ->serves(RunnerKind::counting, MetricSet::plain, Rows::many))
      << "what was learned of a task stays";
}

TEST(CounterConfigs, ClaimsOfARunnerAreBounded) {
  CounterConfigs configs;
  const auto file = configs.sheet_for(MetricSet::plain, Rows::many);
  auto& sheet = *reinterpret_cast<CounterSheet*>(file.data());
  sheet.config_bytes = ~std::uint64_t{0};
  sheet.passes = ~std::uint32_t{0};
  configs.keep(MetricSet::plain, file);
  EXPECT_LE(configs.passes(MetricSet::plain), 40u);
  const auto later = configs.sheet_for(MetricSet::plain, Rows::many);
  EXPECT_EQ(reinterpret_cast<const CounterSheet*>(later.data())->config_bytes, runner::kMaxConfig);
}

}  // namespace
}  // namespace ridgeline::judge
