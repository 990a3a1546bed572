// A module whose runner has ended gets no baseline.
#include "engine/worker/judge/timing/baseline.hpp"

#include <gtest/gtest.h>

#include "engine/worker/judge/backends/host_backend.hpp"
#include "tests/engine/worker/judge/linear_task.hpp"

namespace ridgeline::judge {
namespace {

TEST(OracleBaseline, AModuleWithoutARunnerGetsNoBaselineAndKeepsAnEarlierOne) {
  HostBackend backend(tests_python());
  PreparedTask prepared(linear_task(), 7, backend);
  auto& first = *prepared.cases().front();
  first.timing_arena = backend.memory().make_arena(prepared.task(), first.definition(), 9);
  const auto checked = [&] {
    return keep_baseline(prepared, first, backend.clocks().sampling(0.06), true, BusyHostSlows::both);
  };
  EXPECT_EQ(checked(), 1);
  EXPECT_FALSE(first.baseline().kept()) << "none was measured, and the stage says so";
  first.baseline().rounds_ended({.median = 1e-9});  // any other figure would have drifted
  EXPECT_EQ(checked(), 1);
  EXPECT_EQ(first.baseline().kept()->median, 1e-9);
}

}  // namespace
}  // namespace ridgeline::judge
