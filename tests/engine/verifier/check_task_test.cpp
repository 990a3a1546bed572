#include "engine/verifier/check_task.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/verifier/contract.hpp"
#include "engine/verifier/null_test.hpp"
#include "samples.hpp"

namespace ridgeline::verifier {
namespace {

std::string fault(const Task& task, const std::string& item) {
  const auto check = check_task(task, 3);
  const auto found = std::find_if(check.items.begin(), check.items.end(),
                                  [&](const CheckItem& i) { return i.name == item; });
  return found == check.items.end() ? "absent" : (found->passed ? "" : found->message);
}

std::vector<Null> nulls_that_pass(const Task& task) {
  std::vector<Null> kinds;
  for (const auto& null : null_test(task, TorchScript::compile(task), 5).passed) kinds.push_back(null.kind);
  return kinds;
}

TEST(CheckTask, PassesEveryItemOfASoundTask) {
  const auto check = check_task(row_sum(), 3);
  for (const auto& item : check.items) EXPECT_TRUE(item.passed) << item.name << ": " << item.message;
  EXPECT_TRUE(check.passed());
  EXPECT_EQ(check.items.size(), 7U);
}

TEST(NullTest, SoundTasksOfEveryKindRejectEveryNullKernel) {
  for (const auto& task :
       {row_sum(), matmul(), matmul(DType::bfloat16, 16, 16, 128), matmul(DType::complex64, 8, 8, 64),
        elementwise("torch.exp(x)"), elementwise("torch.relu(x)", DType::float16),
        elementwise("torch.relu(x)", DType::bfloat16), matmul_w8a8(), masked_select(), dropout(), qr(),
        dropout_with_mask(), smallest_gelu(), eigenvectors()}) {
    const auto test = null_test(task, TorchScript::compile(task), 5);
    EXPECT_FALSE(test.degenerate()) << task.name << ": " << test.passed[0].detail;
  }
}

TEST(NullTest, NamesTheNullKernelsThatADegenerateTaskAccepts) {
  EXPECT_EQ(nulls_that_pass(elementwise("x * 0.0")),
            (std::vector{Null::zeros, Null::constant, Null::lower_precision}));
  EXPECT_EQ(nulls_that_pass(elementwise("x * 1.0")), (std::vector{Null::input_copy}));
  auto loose = matmul();
  std::get<Elementwise>(loose.contract).slack = 1e4;
  EXPECT_EQ(nulls_that_pass(loose), (std::vector{Null::lower_precision}));
  auto plain = matmul_w8a8();
  plain.reference = std::get<Quantized>(plain.contract).unquantized;
  EXPECT_EQ(nulls_that_pass(plain), (std::vector{Null::unquantized}));
}

TEST(NullTest, NamesATimedCaseWhoseResultIsTheSameForAllInputs) {
  auto x = input("x", DType::float32, {"M", "N"}, Draw::uniform);
  Elementwise contract;
  contract.reduction = Expression::parse("N");
  auto task = sample("mean", {{"M", 3}, {"N", 4096}}, {x, output("y", DType::float32, {"M"})},
                     "def reference(x):\n    return x.mean(1)\n", contract);
  task.cases[0].timed = true;
  EXPECT_EQ(nulls_that_pass(task), std::vector<Null>{});
  contract.slack = 1e4;
  task.contract = contract;
  const auto passed = null_test(task, TorchScript::compile(task), 5).passed;
  ASSERT_FALSE(passed.empty());
  EXPECT_EQ(passed.back().kind, Null::other_draw);
  EXPECT_EQ(passed.back().detail, "the result for other inputs passes case '" + task.cases[0].name + "'");
  task.cases[0].timed = false;
  const auto untimed = nulls_that_pass(task);
  EXPECT_EQ(std::count(untimed.begin(), untimed.end(), Null::other_draw), 0);
}

TEST(Contract, LongSumsOfFewOutputsAreSplitOverThreads) {
  EXPECT_EQ(chain_of(1, 1), 1);
  EXPECT_EQ(chain_of(65536, 1), 65536);
  EXPECT_EQ(chain_of(1 << 24, 1), 65536) << "not the sum of sixteen million terms by one thread";
  EXPECT_EQ(chain_of(1 << 30, 1), 1 << 20);
  EXPECT_EQ(chain_of(1 << 20, 256), 1 << 18);
  EXPECT_EQ(chain_of(1 << 20, 2048), 1 << 20) << "a thread an output";
  EXPECT_EQ(chain_of(1 << 20, 0), 65536);
}

/// The sum behind every element of a large output was taken for a sum of each element's own.
TEST(Contract, OneSumThatGoesIntoALargeOutputIsOneSum) {
  Elementwise contract;
  contract.reduction = Expression::parse("N");
  const auto task = sample("by_norm", {{"N", 1 << 24}},
                           {input("x", DType::float32, {"N"}), output("y", DType::float32, {"N"})},
                           "def reference(x):\n    return x / x.norm()\n", contract);
  const auto growth = [&](const Task& one) {
    return precision_for(one, one.cases[0], InputSet::standard, DType::float32, 1 << 24).growth;
  };
  EXPECT_EQ(growth(task), 4 * 256) << "4 times the root of 65,536";
  const auto rows = sample("rows", {{"N", 1 << 18}, {"M", 2048}},
                           {input("x", DType::float32, {"M", "N"}), output("y", DType::float32, {"M", "N"})},
                           "def reference(x):\n    return x / x.norm(dim=1, keepdim=True)\n", contract);
  EXPECT_EQ(growth(rows), 4 * 512) << "a thread a row";
}

TEST(CheckTask, ReportsFaultsWithTheirPlace) {
  auto task = row_sum();
  task.reference = "def reference(x):\n    return x.sum(\n";
  EXPECT_NE(fault(task, "compiles").find("row_sum"), std::string::npos);
  EXPECT_EQ(fault(task, "runs"), "absent");

  task = row_sum();
  task.reference = "def reference(x):\n    return x\n";
  EXPECT_NE(fault(task, "runs").find("[64, 4096], and the task declares [64]"), std::string::npos);

  task = row_sum();
  task.reference = "def reference(x):\n    x.mul_(2.0)\n    return x.sum(1)\n";
  EXPECT_NE(fault(task, "arguments").find("changes its argument 'x'"), std::string::npos);

  task = row_sum();
  task.contract = Exact{};
  EXPECT_NE(fault(task, "self").find("fails the gate"), std::string::npos);
}

TEST(CheckTask, RefusesAReferenceThatIsRandomOrNotFinite) {
  auto task = row_sum();
  task.reference = "def reference(x):\n    y = x.sum(1)\n    return y + torch.randn_like(y)\n";
  EXPECT_EQ(
      fault(task, "compiles"),
      "task 'row_sum': reference:3:16: randn_like draws random numbers, so nothing can be compared with it: "
      "take the numbers as an input, or give the task the contract {kind: statistical}");
  task.contract = Statistical{};
  EXPECT_EQ(fault(task, "compiles"), "");

  task = row_sum();
  task.reference = "def reference(x):\n    return torch.dropout(x, 0.5, False).sum(1)\n";
  EXPECT_EQ(fault(task, "compiles"), "") << "dropout that is off draws nothing";

  task.reference = "def reference(x):\n    return x.sum(1) * torch.nan\n";
  EXPECT_NE(fault(task, "runs").find("64 of 64 elements of 'y' are NaN or infinite in the reference"),
            std::string::npos)
      << fault(task, "runs");
  EXPECT_EQ(fault(task, "self"), "absent");
}

TEST(CheckTask, BlamesTheTaskForMemoryThatNoMachineHas) {
  auto task = row_sum();
  task.reference =
      "def reference(x):\n    y = torch.zeros([2500000, 1000000, 10])\n    return x.sum(1) + y.sum()\n";
  EXPECT_NE(fault(task, "runs").find("reference:2:9: asks for 100 TB at once, and no machine has that"),
            std::string::npos)
      << fault(task, "runs");
}

TEST(CheckTask, RefusesCountsThatDoNotFitTheParameters) {
  auto task = row_sum();
  task.bytes = Expression::parse("8 * M * N");
  EXPECT_NE(fault(task, "bytes").find("count each input"), std::string::npos);
  task.bytes = Expression::parse("4 * M");
  EXPECT_NE(fault(task, "bytes").find("the parameters need"), std::string::npos);
  task = row_sum();
  task.operations = Expression::parse("1");
  EXPECT_NE(fault(task, "operations").find("64 output elements"), std::string::npos);
}

}  // namespace
}  // namespace ridgeline::verifier
