// Whatever a candidate's process says about its kernels' spans, a time that is returned is possible.
#include "engine/worker/judge/profile/kernel_time.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <vector>

namespace ridgeline::judge {
namespace {

using Limits = std::numeric_limits<double>;

std::vector<SpannedCall> calls(std::initializer_list<double> seconds, std::uint32_t kernels = 1) {
  std::vector<SpannedCall> all;
  for (const double one : seconds) all.push_back({kernels, one});
  return all;
}

TEST(KernelTime, IsTheMedian) {
  const auto time = kernel_time_of(calls({9e-6, 8e-6, 30e-6, 7e-6, 8.5e-6}), 1, false);
  EXPECT_EQ(time.seconds, 8.5e-6);
  EXPECT_EQ(time.why_not, "");
}

TEST(KernelTime, IsOfAllKernelsOfAGraph) {
  EXPECT_EQ(kernel_time_of(calls({9e-6}, 12), 1, true).seconds, 9e-6) << "one launch of twelve kernels";
  EXPECT_EQ(kernel_time_of(calls({9e-6}, 12), 1, false).why_not, "CUPTI timed 12 kernels of 1 launches");
}

TEST(KernelTime, IsNoneWithoutKernels) {
  EXPECT_EQ(kernel_time_of({}, 1, false).why_not, "its kernels were not timed");
  EXPECT_EQ(kernel_time_of(calls({0}, 0), 0, false).why_not, "CUPTI timed no kernel of its call");
  EXPECT_EQ(kernel_time_of(calls({9e-6}, 1), 3, true).why_not, "CUPTI timed 1 kernels of 3 launches");
}

TEST(KernelTime, IsNoneWhereCallsDiffer) {
  auto all = calls({9e-6, 9e-6, 9e-6}, 2);
  all.back().kernels = 3;
  EXPECT_EQ(kernel_time_of(all, 2, true).why_not, "one call ran 2 kernels and another 3");
}

TEST(KernelTime, IsNoneWhereAFigureIsNotPossible) {
  for (const double seconds :
       {0.0, -1.0, 1e-12, 1e6, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()}) {
    const auto time = kernel_time_of(calls({9e-6, seconds, 9e-6}), 1, false);
    EXPECT_FALSE(time.seconds) << seconds;
    EXPECT_EQ(time.why_not, "its kernels' spans add up to no possible time") << seconds;
  }
  const auto many = std::numeric_limits<std::uint32_t>::max();
  EXPECT_EQ(kernel_time_of(calls({9e-6}, many), 1, true).why_not, "more than 100000 kernels are not timed");
}

TEST(KernelTime, ComesOffTheSheet) {
  const auto sheet = std::make_unique<runner::CounterSheet>();
  sheet->span_kernels = 3;
  sheet->span_seconds = 7e-6;
  const auto call = read_spans(*sheet);
  EXPECT_EQ(call.kernels, 3u);
  EXPECT_EQ(call.seconds, 7e-6);
}

}  // namespace
}  // namespace ridgeline::judge
