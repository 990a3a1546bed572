// `tasks check` on one file of each kind: known-bad ones come out by being measured.
#include <gmock/gmock.h>

#include "engine/suites/modules/check_text.hpp"
#include "tests/engine/oracle/oracle_bed.hpp"
#include "tests/engine/suites/kernelbench/small_clone.hpp"

namespace ridgeline::suites::kernelbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using oracle::patience;
using oracle::shared_oracle;

oracle::TaskText text_named(const std::string& name) {
  return read_text(task_named(name));
}

modules::Assessment assessed(const std::string& name, double seconds = patience) {
  return modules::check_text(shared_oracle(), text_named(name), seconds).assessment;
}

TEST(OracleChecks, PassesSoundTasks) {
  for (const char* name : {"1_statistics", "2_largest_index", "5_hidden_state", "8_plain_arguments"}) {
    const auto result = assessed(name);
    EXPECT_EQ(result.standing, Standing::ok) << name << ": " << result.reason;
    EXPECT_THAT(result.notes, IsEmpty()) << name;
  }
}

TEST(OracleChecks, ReportsTimeAndMemory) {
  const auto report = modules::check_text(shared_oracle(), text_named("1_statistics"), patience);
  EXPECT_GT(report.seconds, 0);
  EXPECT_GT(report.peak_bytes, 0U);
  ASSERT_TRUE(report.description);
}

TEST(OracleChecks, NotesThatUpstreamCastsLabels) {
  const auto result = assessed("3_labels");
  EXPECT_EQ(result.standing, Standing::ok) << result.reason;
  EXPECT_THAT(result.notes, ElementsAre(HasSubstr("casts integer inputs to float")));
}

TEST(OracleChecks, FindsEachKindOfDegenerateTask) {
  const auto why = [&](const char* name) {
    const auto result = assessed(name);
    return std::string(to_string(result.standing)) + ": " + result.reason;
  };
  EXPECT_THAT(why("4_vanishes"), HasSubstr("degenerate: passed by zeros"));
  EXPECT_THAT(why("6_products"), HasSubstr("degenerate: passed by zeros in the second half of axis 1"));
  EXPECT_THAT(why("7_mean"), HasSubstr("passed by the first half of the inputs along axis 0"));
  EXPECT_THAT(why("7_rectifies"), HasSubstr("degenerate: passed by a copy of input 0"));
  EXPECT_THAT(why("8_always_one"), HasSubstr("degenerate: passed by the mean of another draw's output"));
}

TEST(OracleChecks, FindsBrokenTasks) {
  EXPECT_THAT(assessed("1_dropout").reason, HasSubstr("draws random numbers"));
  EXPECT_THAT(assessed("2_not_finite").reason, HasSubstr("trial 1: output 0: is not finite"));
  EXPECT_THAT(assessed("3_raises").reason, HasSubstr("line 8 of level2/3_raises"));
  EXPECT_EQ(assessed("4_ends_process").standing, Standing::broken);
}

TEST(OracleChecks, ReportsTasksThatDoNotFit) {
  const auto huge = assessed("10_huge");
  EXPECT_EQ(huge.standing, Standing::does_not_fit);
  EXPECT_THAT(huge.reason, HasSubstr("memory: needs 4194304.0 GiB"));
  assessed("1_statistics");  // torch is there, so that the next limit is the task's alone
  const auto endless = assessed("5_endless", 1);
  EXPECT_EQ(endless.standing, Standing::does_not_fit);
  EXPECT_THAT(endless.reason, HasSubstr("time: "));
  EXPECT_EQ(assessed("1_statistics").standing, Standing::ok);
}

}  // namespace
}  // namespace ridgeline::suites::kernelbench
