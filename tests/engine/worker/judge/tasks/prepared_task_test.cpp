// How long a call may take before it counts as hung.
#include "engine/worker/judge/tasks/prepared_task.hpp"

#include <gtest/gtest.h>

#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {
namespace {

TEST(PreparedCase, TheLimitOfACallFollowsFromItsReference) {
  const auto task = testcase_task("vector_add");
  const auto limit = [&](double reference) {
    PreparedCase one(task, task.cases.front());
    one.baseline().expectation_drawn(reference);
    return limit_for(one, 10);
  };
  EXPECT_EQ(limit(0), 2) << "nothing is known yet";
  EXPECT_EQ(limit(0.1), 5);
  EXPECT_EQ(limit(1), 10) << "as it is set";
  EXPECT_EQ(limit(8), 40) << "ten seconds would call the reference hung on a busy host";
}

}  // namespace
}  // namespace ridgeline::judge
