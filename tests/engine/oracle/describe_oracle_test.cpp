// Tests how the oracle describes a task's file, in each of the ways that KernelBench's files differ.
#include <gmock/gmock.h>

#include "tests/engine/oracle/oracle_bed.hpp"

namespace ridgeline::oracle {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<std::string> state_of(const Description& description) {
  std::vector<std::string> all;
  for (const auto& one : description.state)
    all.push_back(std::string(to_string(one.kind)) + " " + one.tensor.name);
  return all;
}

TEST(OracleDescribes, DescribesParametersBuffersInputsAndOutputs) {
  const auto task = described(task_named("level1/1_statistics"));
  EXPECT_EQ(task.init_arguments, "[16]");
  EXPECT_THAT(state_of(task),
              ElementsAre("parameter affine.weight", "parameter affine.bias", "parameter normal.weight",
                          "parameter normal.bias", "buffer normal.running_mean", "buffer normal.running_var",
                          "buffer normal.num_batches_tracked"));
  EXPECT_EQ(task.state.at(6).tensor.dtype, DType::int64);
  const auto inputs = tensors_of(task.inputs);
  ASSERT_EQ(inputs.size(), 1U);
  EXPECT_EQ(inputs[0].name, "x");
  EXPECT_THAT(inputs[0].shape, ElementsAre(8, 16));
  ASSERT_EQ(task.outputs.size(), 1U);
  EXPECT_THAT(task.outputs[0].shape, ElementsAre(8, 16));
  EXPECT_TRUE(task.training);
  EXPECT_EQ(task.bytes.inputs, 512U);
  EXPECT_EQ(task.bytes.state, 4U * (256 + 16 * 5) + 8);
  EXPECT_GE(task.bytes.forward, 512U);
  EXPECT_FALSE(task.ran);
}

TEST(OracleDescribes, AnswersAfterBeginAndStartsAgainAfterItsProcessEnded) {
  OracleProcess oracle(test_settings(RIDGELINE_PYTHON));
  oracle.begin();
  oracle.begin();
  for (int times = 0; times < 2; ++times) {
    const auto answer = oracle.describe(task_named("level1/1_statistics"), patience);
    EXPECT_TRUE(std::holds_alternative<Description>(answer));
    const auto late = oracle.check(task_named("level1/1_statistics"), false, 1e-3);
    EXPECT_TRUE(std::holds_alternative<OracleFailure>(late)) << "a limit ends the process";
    oracle.begin();
  }
}

TEST(OracleDescribes, KeepsIntegersAndPlainArguments) {
  EXPECT_EQ(described(task_named("level1/2_largest_index")).outputs.at(0).dtype, DType::int64);
  EXPECT_EQ(tensors_of(described(task_named("level1/3_labels")).inputs).at(1).dtype, DType::int64);

  const auto plain = described(task_named("level1/8_plain_arguments"));
  EXPECT_EQ(plain.init_arguments, R"([{"tuple":[2,4]},{"a":null},1.5])");
  ASSERT_EQ(plain.inputs.size(), 3U);
  EXPECT_EQ(std::get<PlainInput>(plain.inputs[1]).name, "factor");
  EXPECT_EQ(std::get<PlainInput>(plain.inputs[1]).value, "0.5");
  EXPECT_EQ(std::get<PlainInput>(plain.inputs[2]).value, "true");
  ASSERT_EQ(plain.outputs.size(), 2U);
  EXPECT_THAT(plain.outputs[1].shape, ElementsAre(3, 4, 2));
}

TEST(OracleDescribes, FindsStateOutsideOfTheStateDictionaryAndGlobalsOfTheModule) {
  const auto task = described(task_named("level1/5_hidden_state"));
  EXPECT_THAT(state_of(task),
              ElementsAre("parameter step.weight", "parameter step.bias", "attribute hidden"));
  EXPECT_THAT(task.state.at(2).tensor.shape, ElementsAre(4, 8));
}

TEST(OracleDescribes, RunsTheTaskIfShapesAloneDoNotSuffice) {
  const auto task = described(task_named("level1/9_reads_value"));
  EXPECT_TRUE(task.ran);
  EXPECT_THAT(task.outputs.at(0).shape, ElementsAre(16, 16));
}

TEST(OracleDescribes, DescribesTasksLargerThanTheMachine) {
  EXPECT_EQ(described(task_named("level1/10_huge")).bytes.inputs, std::uint64_t{1} << 50);
}

TEST(OracleDescribes, ReportsTasksThatCannotRunAndGoesOn) {
  const auto failed = [&](const std::string& name) {
    return failure_of(shared_oracle().describe(task_named(name), patience));
  };
  EXPECT_THAT(failed("level2/3_raises"),
              AllOf(StartsWith("task: "), HasSubstr("(line 8 of level2/3_raises)")));
  EXPECT_THAT(failed("level2/9_no_model"), HasSubstr("level2/9_no_model defines no Model"));
  EXPECT_THAT(failed("level2/6_writes_input"), HasSubstr("writes into its inputs"));
  EXPECT_THAT(failure_of(shared_oracle().describe({"a/b", "x = 1\ny = (\n"}, patience)),
              AllOf(HasSubstr("SyntaxError"), HasSubstr("line 2")));
  EXPECT_EQ(described(task_named("level1/1_statistics")).bytes.inputs, 512U);
}

TEST(OracleDescribes, LetsATaskReadItsOwnSource) {
  const auto task =
      described(task_with_inputs("return [torch.rand(len(__import__('inspect').getsource(Model)))]"));
  EXPECT_EQ(tensors_of(task.inputs).at(0).shape.at(0), 84);
}

TEST(OracleDescribes, ReadsATextAnewUnderTheSameName) {
  for (const std::string extent : {"3", "5"}) {
    const auto task = described(task_with_inputs("return [torch.rand(" + extent + ")]"));
    EXPECT_EQ(tensors_of(task.inputs).at(0).shape.at(0), std::stoi(extent));
  }
}

TEST(OracleDescribes, CountsOperations) {
  // A product of (8, 16) and (16, 16), and one for each element of the output.
  EXPECT_EQ(described(task_named("level1/1_statistics")).operations, 2U * 8 * 16 * 16 + 8 * 16);
  EXPECT_EQ(described(task_named("level1/9_reads_value")).operations, 256U);
}

TEST(OracleDescribes, FindsTheLongestSum) {
  const std::pair<std::string, std::uint64_t> terms[] = {
      {"x + 1", 1},
      {"torch.relu(x)", 1},
      {"x.max()", 1},
      {"x[:, 0]", 1},
      {"x.transpose(0, 1).contiguous()", 1},
      {"x.sum()", 192},
      {"x.mean(dim=1)", 6},
      {"x / x.norm(dim=-1, keepdim=True)", 8},
      {"F.softmax(x, dim=1)", 6},
      {"x.cumsum(2)", 8},
      {"F.layer_norm(x, (6, 8))", 48},
      {"F.group_norm(x, 2)", 24},
      {"self.batch(x)", 32},
      {"self.batch.eval()(x)", 1},  // running figures serve
      {"F.avg_pool1d(x, 3, 1)", 3},
      {"F.avg_pool2d(x, 3, 1)", 9},
      {"F.adaptive_avg_pool1d(x, 1)", 8},
      {"self.linear(x)", 8},
      {"self.convolution(x)", 18},
      {"self.transposed(x)", 9},
      {"torch.matmul(x, x.transpose(1, 2))", 8},
      {"F.scaled_dot_product_attention(x, x, x)", 8},
      {"F.mse_loss(x, x * 2)", 192},
  };
  for (const auto& [expression, expected] : terms)
    EXPECT_EQ(described(task_that_returns(expression)).longest_sum, expected) << expression;
}

TEST(OracleDescribes, AddsUpTheSumsOfAllOperators) {
  const auto task = described(task_that_returns("self.linear(x).sum()"));
  EXPECT_GE(task.all_sums, 8 + task.longest_sum);
  EXPECT_LE(task.all_sums, 9 + task.longest_sum) << "8 terms of the product, those of the sum, and 1";
}

TEST(OracleDescribes, OutlivesAProcessThatATaskEnds) {
  EXPECT_THAT(failure_of(shared_oracle().describe(task_named("level2/4_ends_process"), patience)),
              AllOf(StartsWith("died: "), HasSubstr("exit status 7"), HasSubstr("about to end")));
  EXPECT_EQ(described(task_named("level1/1_statistics")).bytes.inputs, 512U);
}

}  // namespace
}  // namespace ridgeline::oracle
