// Tests which cause of a failure a verdict names, and what a `final` case adds to it.
#include "engine/worker/judge/correctness/correctness_record.hpp"

#include <gmock/gmock.h>

namespace ridgeline::judge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

StageResult launch_error() {
  return {.status = Status::failed, .reason = Reason::launch_error, .detail = "no such launch"};
}

class CorrectnessRecords : public testing::Test {
 protected:
  Case visible{.name = "small"};
  Case final{.name = "report", .final = true};
  Verdict verdict;
  CorrectnessRecord record{verdict};
};

TEST_F(CorrectnessRecords, ARefusedCallFailsTheCallAndLeavesCorrectnessUnreached) {
  record.at(visible);
  record.refused(launch_error());
  record.finish();
  EXPECT_EQ(verdict.at(Stage::call).reason, Reason::launch_error);
  EXPECT_THAT(verdict.at(Stage::call).detail, HasSubstr("case small"));
  EXPECT_EQ(verdict.at(Stage::correctness).status, Status::not_reached);
}

/// The refusal was not recorded, so reports showed the case as right.
TEST_F(CorrectnessRecords, ARefusedCallOfAFinalCaseFailsThatCaseAlone) {
  record.at(visible);
  record.at(final);
  record.refused(launch_error());
  record.finish();
  EXPECT_EQ(verdict.at(Stage::call).status, Status::passed);
  EXPECT_EQ(verdict.at(Stage::correctness).status, Status::passed);
  EXPECT_THAT(verdict.final_failures, ElementsAre("report"));
}

TEST_F(CorrectnessRecords, AWrongResultComesBeforeACallThatIsRefusedLater) {
  record.at(visible);
  record.failed(Reason::wrong_values, "wrong", std::nullopt);
  record.refused(launch_error());
  record.finish();
  EXPECT_EQ(verdict.at(Stage::correctness).reason, Reason::wrong_values);
  EXPECT_EQ(verdict.at(Stage::call).status, Status::passed);
  EXPECT_THAT(verdict.final_failures, IsEmpty());
}

}  // namespace
}  // namespace ridgeline::judge
