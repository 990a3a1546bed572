// The kernel's own time of counted calls on a GPU: there, and no longer than the call.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "benchmark_tasks/loader.hpp"
#include "engine/core/counters.hpp"
#include "engine/cuda/cupti_search.hpp"
#include "engine/worker/judge/profile/device_counters.hpp"
#include "tests/engine/worker/judge/gpu_judge.hpp"
#include "tests/places.hpp"

namespace ridgeline::judge {
namespace {

class KernelTimeOnGpu : public GpuJudge {
 protected:
  void SetUp() override {
    if (const auto why = cuda::counters_forbidden(); !why.empty()) FAIL() << why;
  }

  /// Of each case of a native task, by its honest kernel.
  static void expect_own_times(const std::string& category, const std::string& name, double kernels) {
    const auto folder = places::sources();
    const auto task = on_backend(
        benchmark_tasks::load_task(folder / "benchmark_tasks" / category / (name + ".yaml")), "cuda");
    const auto source = read_text(folder / "tests/benchmark_tasks/kernels" / (name + ".cu"));
    const auto verdict = judged(task, make_candidate(Language::cuda, source));
    const auto& stage = verdict.at(Stage::profile);
    EXPECT_EQ(stage.status, Status::passed) << stage.detail;
    EXPECT_FALSE(verdict.rooflines.empty()) << stage.detail;
    for (const auto& one : verdict.rooflines) {
      const auto own = find_counter(one.counters, counter::kernel_seconds);
      ASSERT_TRUE(own) << one.case_name << ": " << stage.detail;
      EXPECT_EQ(find_counter(one.counters, counter::kernels), kernels) << one.case_name;
      std::printf("%s %s: own time %.2f us, call %.2f us\n", name.c_str(), one.case_name.c_str(), 1e6 * *own,
                  1e6 * one.seconds);
      EXPECT_GT(*own, 0) << one.case_name;
      EXPECT_LE(*own, 1.1 * one.seconds) << one.case_name;
    }
  }
};

TEST_F(KernelTimeOnGpu, IsThatOfALoneLaunch) {
  expect_own_times("Math", "softmax", 1);
}

TEST_F(KernelTimeOnGpu, IsTheSumOverTwoLaunches) {
  expect_own_times("Loss", "cross_entropy", 2);
}

}  // namespace
}  // namespace ridgeline::judge
