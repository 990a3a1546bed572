// The judge believes counters from the candidate's own process only where nothing contradicts them. Else it
// sets them aside, which is never more than a note.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/core/counters.hpp"
#include "engine/worker/judge/backends/host_backend.hpp"
#include "engine/worker/judge/profile/device_counters.hpp"
#include "engine/worker/judge/profile/device_profile.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {
namespace {

using testing::HasSubstr;

class LyingCounters : public testing::Test {
 protected:
  LyingCounters() {
    ceilings_.bandwidth = 4e12;
    ceilings_.cache_bytes = 50e6;
    ceilings_.peaks = {{"fp32", 50e12}};
    verdict_.timing.emplace();
    for (const auto* name : {"ragged", "typical"}) {
      verdict_.timing->cases.push_back({.case_name = name, .cold = {.median = 1e-5}});
      auto* one = find(name);
      one->timing_arena = backend_.memory().make_arena(prepared_.task(), one->definition(), 2);
    }
    verdict_.at(Stage::timing).status = Status::passed;
  }
  PreparedCase* find(std::string_view name) {
    for (const auto& one : prepared_.cases())
      if (one->definition().name == name) return one.get();
    return nullptr;
  }
  /// Profiles with a runner that tells this lie. The program that runs this test is that runner too.
  void profile(const std::string& lie, profiler::MetricSet set = profiler::MetricSet::plain) {
    RunnerSettings settings;
    settings.program = std::filesystem::read_symlink("/proc/self/exe");
    settings.scratch_parent = std::filesystem::temp_directory_path();
    settings.level = sandbox::Isolation::none;  // it needs what its libraries need
    settings.data_limit = 0;
    RunnerProcessFactory factory(settings, std::nullopt, "/lie/" + lie);
    RunnerPool pool(factory);
    const std::filesystem::path artefact = RIDGELINE_BIN_DIR "/ridgeline-runner";  // any file
    CountersAhead ahead(pool);
    profile_on_device(prepared_,
                      {pool,
                       ahead,
                       {.limits = {.warps = 64, .registers = 65536}},
                       artefact,
                       1.0,
                       RunnerKind::counting,
                       set},
                      ceilings_, verdict_);
    passes_ = ahead.configs().passes(set);
  }
  const StageResult& stage() const { return verdict_.at(Stage::profile); }
  void expect_set_aside(const std::string& why) {
    EXPECT_EQ(stage().status, Status::unavailable);
    EXPECT_EQ(stage().reason, Reason::counters_refused);
    EXPECT_THAT(stage().detail, HasSubstr(why));
    ASSERT_EQ(verdict_.rooflines.size(), 2u);
    for (const auto& one : verdict_.rooflines) {
      EXPECT_EQ(one.bytes_source, Source::analytic);
      EXPECT_TRUE(one.counters.empty());
    }
    EXPECT_TRUE(verdict_.launches.empty());
    EXPECT_FALSE(verdict_.cheated);
    EXPECT_TRUE(verdict_.flags.empty());
  }

  HostBackend backend_;
  PreparedTask prepared_{testcase_task("vector_add"), 7, backend_};
  std::uint32_t passes_ = 0;
  Ceilings ceilings_;
  Verdict verdict_;
};

TEST_F(LyingCounters, CountersThatNothingContradictsAreUsed) {
  profile("none");
  EXPECT_EQ(stage().status, Status::passed) << stage().detail;
  EXPECT_EQ(stage().detail, "");
  ASSERT_EQ(verdict_.rooflines.size(), 2u);
  EXPECT_EQ(verdict_.rooflines[1].case_name, "typical");
  EXPECT_EQ(verdict_.rooflines[1].bytes_source, Source::cupti);
  EXPECT_DOUBLE_EQ(verdict_.rooflines[1].bytes, 624e3);
  EXPECT_EQ(find_counter(verdict_.rooflines[1].counters, counter::kernels), 2);
  EXPECT_FALSE(find_counter(verdict_.rooflines[1].counters, counter::tensor_fp16_operations)) << "not asked";
  ASSERT_EQ(verdict_.launches.size(), 4u) << "two of each case, though both share their passes";
  EXPECT_EQ(verdict_.launches[1].case_name, "ragged");
  EXPECT_EQ(verdict_.launches[3].case_name, "typical");
  EXPECT_EQ(verdict_.launches[3].kernel, "score") << "as its source calls it";
  EXPECT_EQ(verdict_.launches[3].theoretical_occupancy, 1);
}

TEST_F(LyingCounters, KernelsOwnTimeIsTheMedianOfACasesCalls) {
  profile("none");
  ASSERT_EQ(verdict_.rooflines.size(), 2u);
  for (const auto& one : verdict_.rooflines)
    EXPECT_EQ(find_counter(one.counters, counter::kernel_seconds), 9e-6 + 1e-9 * 2) << one.case_name;
}

TEST_F(LyingCounters, AKernelTimeThatCannotBeIsLeftOutAndTheCountersStay) {
  const std::pair<const char*, const char*> lies[] = {
      {"spans refused", "a call whose kernels are timed: CUPTI records no kernels here"},
      {"spans of nothing", "CUPTI timed no kernel of its call"},
      {"spans of too few", "CUPTI timed 1 kernels of 2 launches"},
      {"spans of too many", "CUPTI timed 3 kernels of 2 launches"},
      {"spans that vary", "one call ran 2 kernels and another 3"},
      {"spans without end", "its kernels' spans add up to no possible time"},
      {"spans beyond the call", "add up to 14.0 µs where the judge's clock saw 10.0 µs"}};
  for (const auto& [lie, why] : lies) {
    verdict_.rooflines.clear();
    verdict_.launches.clear();
    profile(lie);
    EXPECT_EQ(stage().status, Status::passed) << lie;
    EXPECT_THAT(stage().detail, HasSubstr("no kernel's own time of ragged, typical: ")) << lie;
    EXPECT_THAT(stage().detail, HasSubstr(why)) << lie;
    ASSERT_EQ(verdict_.rooflines.size(), 2u) << lie;
    for (const auto& one : verdict_.rooflines) {
      EXPECT_EQ(one.bytes_source, Source::cupti) << lie;
      EXPECT_FALSE(find_counter(one.counters, counter::kernel_seconds)) << lie;
    }
    EXPECT_EQ(verdict_.launches.size(), 4u) << lie;
  }
}

TEST_F(LyingCounters, AKernelTimeThatOneCaseLacksIsAskedOfTheNext) {
  profile("first spans refused");
  EXPECT_THAT(stage().detail, HasSubstr("no kernel's own time of ragged: "));
  ASSERT_EQ(verdict_.rooflines.size(), 2u);
  EXPECT_FALSE(find_counter(verdict_.rooflines[0].counters, counter::kernel_seconds));
  EXPECT_TRUE(find_counter(verdict_.rooflines[1].counters, counter::kernel_seconds));
}

TEST_F(LyingCounters, OperationsOfMatrixProductsAreCountedInTheSamePasses) {
  profile("none", profiler::MetricSet::narrow_tensor);
  EXPECT_EQ(stage().status, Status::passed) << stage().detail;
  ASSERT_EQ(verdict_.rooflines.size(), 2u);
  for (const auto& one : verdict_.rooflines)
    EXPECT_EQ(find_counter(one.counters, counter::tensor_fp16_operations), 4096) << one.case_name;
  EXPECT_EQ(verdict_.launches.size(), 4u);
}

TEST_F(LyingCounters, ALoneLaunchIsTheWholeCall) {
  profile("alone");
  EXPECT_EQ(stage().status, Status::passed) << stage().detail;
  ASSERT_EQ(verdict_.rooflines.size(), 2u);
  for (const auto& one : verdict_.rooflines) {
    EXPECT_DOUBLE_EQ(one.bytes, 624e3) << one.case_name;
    EXPECT_EQ(find_counter(one.counters, counter::kernels), 1);
  }
  EXPECT_EQ(verdict_.launches.size(), 2u);
}

TEST_F(LyingCounters, ALoneLaunchIsCountedBesideACallOfMoreLaunchesThanAreKept) {
  profile("second alone");
  EXPECT_EQ(stage().status, Status::passed) << stage().detail;
  EXPECT_EQ(stage().detail, "");
  ASSERT_EQ(verdict_.rooflines.size(), 2u);
  for (const auto& one : verdict_.rooflines) EXPECT_EQ(one.bytes_source, Source::cupti) << one.case_name;
  EXPECT_EQ(find_counter(verdict_.rooflines[0].counters, counter::kernels), runner::kMaxLaunches + 5);
  EXPECT_EQ(find_counter(verdict_.rooflines[1].counters, counter::kernels), 1);
  EXPECT_EQ(verdict_.launches.size(), runner::kMaxLaunches) << "in a session with more rows than the first";
}

TEST_F(LyingCounters, ALoneLaunchThatBecomesTwoIsSetAside) {
  profile("alone at first");
  expect_set_aside("one launch at first, and when it was counted it launched 2");
}

TEST_F(LyingCounters, ALoneLaunchBesideLaterOtherWorkIsSetAside) {
  profile("alone until counted");
  expect_set_aside("one launch at first, and when it was counted it had the device do more");
}

TEST_F(LyingCounters, OperationsOfLongCallsAreNotCounted) {
  for (auto& timed : verdict_.timing->cases) timed.cold.median = 0.02;
  profile("long", profiler::MetricSet::tensor);
  EXPECT_EQ(stage().status, Status::passed);
  EXPECT_THAT(stage().detail, HasSubstr("not counted of calls of 1.5 ms and more"));
  ASSERT_EQ(verdict_.rooflines.size(), 2u);
  EXPECT_EQ(verdict_.rooflines[1].bytes_source, Source::cupti);
  EXPECT_EQ(verdict_.rooflines[1].operations_source, Source::analytic);
}

TEST_F(LyingCounters, ATimeThatContradictsTheJudgesSetsCountersAside) {
  profile("time");
  expect_set_aside(
      "ragged: counters are set aside: they count 1000000.0 µs where the judge's clock saw 10.0");
}

TEST_F(LyingCounters, ImpossibleTrafficSetsCountersAside) {
  profile("traffic");
  expect_set_aside("bytes a second");
}

TEST_F(LyingCounters, AnEmptySheetMeansThatNothingWasCounted) {
  profile("silent");
  expect_set_aside("nothing was counted");
}

TEST_F(LyingCounters, UnboundedNumbersAndNamesAreBounded) {
  profile("wild");
  EXPECT_FALSE(verdict_.cheated);
  EXPECT_LE(passes_, 40u);
  EXPECT_EQ(verdict_.launches.size(), 2 + (runner::kMaxRanges - 4) / 2) << stage().detail;
  for (const auto& launch : verdict_.launches) {
    EXPECT_LE(launch.kernel.size(), 200u);
    EXPECT_LE(launch.registers, 1024);
    EXPECT_GT(launch.blocks(), 0) << "no overflow";
  }
}

TEST_F(LyingCounters, ARunnerThatCannotEmptyTheL2IsReported) {
  profile("unswept");
  EXPECT_EQ(stage().status, Status::passed);
  EXPECT_THAT(stage().detail, HasSubstr("the L2 could not be emptied"));
}

}  // namespace
}  // namespace ridgeline::judge
