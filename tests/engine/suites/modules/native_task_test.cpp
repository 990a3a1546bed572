#include "engine/suites/modules/native_task.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/codec.hpp"
#include "engine/core/error.hpp"
#include "engine/core/json_fields.hpp"

namespace ridgeline::suites::modules {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const TaskNames layer_file{"level2/7_Layer", "level2_7_Layer", "level2", 2, "a layer"};

oracle::Description layer() {
  oracle::Description description;
  description.init_arguments = "[48]";
  description.init_named = "{}";
  description.inputs = {oracle::TensorFact{"x", DType::float32, {32, 48}, oracle::Uniform{0, 1}},
                        oracle::PlainInput{"in", "3"},
                        oracle::TensorFact{"mask", DType::boolean, {32}, oracle::Opaque{}}};
  description.state = {{StateKind::parameter, {"a.weight", DType::float32, {80, 48}, {}}},
                       {StateKind::buffer, {"a_weight", DType::float32, {80}, {}}}};
  description.outputs = {{"output_0", DType::float32, {32, 80}, {}}};
  description.bytes.inputs = 100;
  description.bytes.state = 20;
  description.bytes.outputs = 3;
  description.operations = 2 * 32 * 48 * 80;
  description.all_sums = 48;
  return description;
}

std::string refusal(const oracle::Description& description) {
  try {
    native_task(layer_file, {}, description, "cpu");
  } catch (const BadInput& error) {
    return error.what();
  }
  return "";
}

TEST(NativeTask, HasForwardsArgumentsThenTheStateThenTheOutput) {
  const auto task = native_task(layer_file, {"", "text"}, layer(), "cpu");
  EXPECT_EQ(task.name, "level2_7_Layer");
  EXPECT_EQ(task.reference, "text");
  std::vector<std::string> names;
  for (const auto* tensor : task.tensors()) names.push_back(tensor->name);
  EXPECT_THAT(names, ElementsAre("x", "mask", "a_weight", "a_weight_", "output")) << "no two of one name";
  EXPECT_EQ(task.scalars().at(0)->name, "in_") << "no word of the language";
  EXPECT_EQ(task.tensors()[0]->input.draw, Draw::uniform);
  EXPECT_EQ(task.tensors()[1]->input.draw, Draw::reference) << "what nobody could follow";
  EXPECT_EQ(task.tensors()[3]->state, "a_weight");
  EXPECT_EQ(task.tensors()[3]->state_kind, StateKind::buffer);
  EXPECT_EQ(task.bytes.evaluate({}), 123);
  EXPECT_EQ(task.cases.at(0).backend, "cpu");
}

TEST(NativeTask, AssumesThatTheSumsOfOperatorsFollowOneAnother) {
  auto sum_of_sums = layer();
  sum_of_sums.outputs[0].shape = {32, 1};
  sum_of_sums.longest_sum = 80;
  sum_of_sums.all_sums = 48 + 80;
  EXPECT_EQ(assumed_reduction(sum_of_sums), 48 + 80) << "not 48 * 80, the multiplications for an output";
}

TEST(NativeTask, AssumesTheLongerOfTwoChains) {
  EXPECT_EQ(assumed_reduction(layer()), 48);
  auto sum = layer();
  sum.operations = 1;
  sum.outputs[0].shape = {1};
  EXPECT_EQ(assumed_reduction(sum), 32 * 48 + 32);
}

TEST(NativeTask, SurvivesJson) {
  const auto task = native_task(layer_file, {"", "text"}, layer(), "cpu");
  const auto again = nlohmann::json(task).get<Task>();
  EXPECT_EQ(hash_of(again), task.hash);
  EXPECT_EQ(again.module.value().init_arguments, "[48]");
  EXPECT_EQ(again.tensors()[3]->state_kind, StateKind::buffer);
}

TEST(NativeTask, RefusesArgumentsThatNoKernelCanBeGiven) {
  auto worded = layer();
  worded.inputs[1] = oracle::PlainInput{"mode", "\"mean\""};
  EXPECT_THAT(refusal(worded), HasSubstr("'mode' is \"mean\""));
  auto built = layer();
  built.init_arguments = R"([{"tensor":{"name":"argument"}}])";
  EXPECT_THAT(refusal(built), HasSubstr("constructor takes a tensor"));
  auto large = layer();
  for (int i = 0; i < 1536; ++i) large.state.push_back(large.state[0]);
  EXPECT_THAT(refusal(large), HasSubstr("a call takes 1536 at the most"));
}

}  // namespace
}  // namespace ridgeline::suites::modules
