// What is kept as a module's baseline where its runner is over.
#include "engine/worker/judge/timing/baseline.hpp"

#include <gtest/gtest.h>

#include "engine/worker/judge/backends/host_backend.hpp"
#include "tests/engine/worker/judge/linear_task.hpp"

namespace ridgeline::judge {
namespace {

TEST(OracleBaseline, WithoutItsRunnerItIsNotTheOraclesOwnTime) {
  HostBackend backend(tests_python());
  PreparedTask prepared(linear_task(), 7, backend);
  auto& one = *prepared.cases().front();
  one.timing_arena = backend.make_arena(prepared.task(), one.definition(), 9);
  const auto look = [&] {
    return keep_baseline(prepared, one, backend.sampling(0.06), true, BusyHostSlows::both);
  };
  EXPECT_EQ(look(), 1);
  EXPECT_FALSE(one.baseline) << "none was measured, and the stage says so";
  one.baseline = Duration{.median = 1e-9};  // any other figure would have drifted
  EXPECT_EQ(look(), 1);
  EXPECT_EQ(one.baseline->median, 1e-9);
}

}  // namespace
}  // namespace ridgeline::judge
