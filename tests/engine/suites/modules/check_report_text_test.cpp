// What `tasks check` says of all files together.
#include "engine/suites/modules/check_report_text.hpp"

#include <gtest/gtest.h>

namespace ridgeline::suites::modules {
namespace {

TEST(CheckSummary, ABrokenTaskDecidesTheStatusBeforeATaskThatDoesNotFit) {
  EXPECT_EQ(summary_of({{Standing::ok, 3}}).status, 0);
  EXPECT_EQ(summary_of({{Standing::ok, 3}, {Standing::does_not_fit, 1}}).status, 3);
  const auto summary = summary_of({{Standing::degenerate, 1}, {Standing::does_not_fit, 1}});
  EXPECT_EQ(summary.status, 1);
  EXPECT_EQ(summary.text, "1 degenerate, 1 does_not_fit");
  EXPECT_EQ(summary.members.at("counts").at("degenerate"), 1);
}

}  // namespace
}  // namespace ridgeline::suites::modules
