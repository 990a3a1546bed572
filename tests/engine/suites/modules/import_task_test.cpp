#include "engine/suites/modules/import_task.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgeline::suites::modules {
namespace {

const TaskNames sums_file{"level1/7_Sums", "level1_7_Sums", "level1", 1, "sums"};

CheckReport report_of(Standing standing) {
  CheckReport report;
  report.assessment = {standing, standing == Standing::ok ? "" : "why", {"a note"}};
  oracle::Description description;
  description.init_arguments = "[]";
  description.init_named = "{}";
  description.inputs = {oracle::TensorFact{"x", DType::float32, {4, 8}, oracle::Uniform{0, 1}}};
  description.outputs = {oracle::TensorFact{"output_0", DType::float32, {4}, {}}};
  report.description = std::move(description);
  return report;
}

TEST(ImportTask, GivesATaskIfTheFileCanBeJudged) {
  for (const auto standing : {Standing::ok, Standing::unchecked, Standing::degenerate}) {
    const auto imported = import_task(sums_file, {"", "text"}, report_of(standing), "cpu");
    ASSERT_TRUE(imported.task);
    EXPECT_EQ(imported.task->name, "level1_7_Sums");
    EXPECT_EQ(imported.task->cases.at(0).backend, "cpu");
    EXPECT_EQ(imported.assessment.standing, standing);
    EXPECT_EQ(imported.assessment.notes.size(), 1U);
  }
}

TEST(ImportTask, KeepsTheReasonIfTheFileCannotBeJudged) {
  for (const auto standing : {Standing::broken, Standing::does_not_fit}) {
    const auto imported = import_task(sums_file, {"", "text"}, report_of(standing), "cpu");
    EXPECT_FALSE(imported.task);
    EXPECT_EQ(imported.assessment.standing, standing);
    EXPECT_EQ(imported.assessment.reason, "why");
  }
}

TEST(ImportTask, IsUnsupportedIfNoKernelCanBeCalled) {
  auto report = report_of(Standing::ok);
  report.description->inputs.emplace_back(oracle::PlainInput{"mode", "[1, 2]"});
  const auto imported = import_task(sums_file, {"", "text"}, report, "cpu");
  EXPECT_FALSE(imported.task);
  EXPECT_EQ(imported.assessment.standing, Standing::unsupported);
  EXPECT_THAT(imported.assessment.reason, testing::StartsWith("forward's argument 'mode' is [1, 2]"));
}

}  // namespace
}  // namespace ridgeline::suites::modules
