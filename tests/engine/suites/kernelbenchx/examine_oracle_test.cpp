// `tasks check` of the small clone, and the tasks that are made of it.
#include "engine/suites/kernelbenchx/examine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/suites/kernelbenchx/check_report.hpp"
#include "tests/engine/oracle/oracle_bed.hpp"
#include "tests/engine/suites/kernelbenchx/small_clone.hpp"

namespace ridgeline::suites::kernelbenchx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Examined examined_task(const std::string& name) {
  const auto clone = open_clone(small_clone_root());
  const auto task = select(clone, {name}).at(0);
  return examine_file(oracle::shared_oracle(), task, read_support(clone), {true, oracle::patience});
}

TEST(OracleExamines, ATaskWithSeveralCasesIsOneModule) {
  const auto clone = open_clone(small_clone_root());
  const auto examined = examined_task("half_relu");
  ASSERT_TRUE(examined.harvest) << examined.decision.reason;
  EXPECT_FALSE(examined.decision.refusal);
  EXPECT_EQ(examined.calls, 4);
  EXPECT_EQ(examined.judged, 3) << "what has outliers has the shape of what has none";
  const auto task = make_task(clone.tasks[0], examined, "cpu");
  EXPECT_EQ(task.name, "Activation_half_relu");
  EXPECT_EQ(task.difficulty, 2);
  EXPECT_EQ(task.category, "Activation");
  EXPECT_EQ(task.description, "Halves what is negative.");
  ASSERT_TRUE(task.module);
  std::vector<Draw> draws;
  for (const auto* tensor : task.tensors())
    if (tensor->role == Role::in) draws.push_back(tensor->input.draw);
  EXPECT_THAT(draws, ElementsAre(Draw::normal, Draw::uniform, Draw::normal)) << "the judge draws them all";
  EXPECT_EQ(task.hash, hash_of(task));
}

TEST(OracleExamines, AFunctionThatWritesIntoItsInputIsJudged) {
  const auto examined = examined_task("Halving");
  ASSERT_TRUE(examined.harvest) << examined.decision.reason;
  EXPECT_THAT(examined.harvest->adapter, HasSubstr("x_param.clone()"));
}

TEST(OracleExamines, AFileOutsideTheMetadataIsJudgedToo) {
  const auto examined = examined_task("twice_fp16");
  EXPECT_FALSE(examined.decision.refusal) << examined.decision.reason;
  const auto task = open_clone(small_clone_root()).tasks[3];
  EXPECT_THAT(checked_text(task, examined), HasSubstr("Math/twice_fp16 (outside), 1 of 1 calls"));
  EXPECT_EQ(checked_document(task, examined).at("cases"), 1);
}

TEST(OracleExamines, ARefusedTaskIsNotRun) {
  const auto examined = examined_task("product_w8a8");
  EXPECT_EQ(examined.decision.refusal, Refusal::quantization);
  EXPECT_EQ(examined.report.seconds, 0);
  const auto document = checked_document(open_clone(small_clone_root()).tasks[2], examined);
  EXPECT_EQ(document.at("refusal"), "quantization");
  EXPECT_EQ(document.at("standing"), "broken");
}

}  // namespace
}  // namespace ridgeline::suites::kernelbenchx
