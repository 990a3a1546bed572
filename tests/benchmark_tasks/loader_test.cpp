#include "benchmark_tasks/loader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/benchmark_tasks/task_text.hpp"
#include "tests/engine/yaml/message.hpp"

namespace ridgeline::benchmark_tasks {
namespace {

std::string error(const std::string& from, const std::string& to) {
  return message_of([&] { parse_task(with(from, to), "t.yaml"); });
}

TEST(Loader, ReadsEveryPartOfATask) {
  const auto task = parse_task(valid_task(), "t.yaml");
  EXPECT_EQ(task.name, "scale");
  EXPECT_EQ(task.category, "Math");
  EXPECT_EQ(task.sizes, std::vector<std::string>{"N"});
  ASSERT_EQ(task.tensors().size(), 2u);
  EXPECT_EQ(task.tensors()[1]->role, Role::out);
  EXPECT_EQ(task.tensors()[0]->input.draw, Draw::normal);
  ASSERT_EQ(task.scalars().size(), 1u);
  EXPECT_EQ(task.scalars()[0]->value.evaluate({}), 2);
  ASSERT_EQ(task.cases.size(), 3u);
  EXPECT_TRUE(task.cases[0].timed);
  EXPECT_TRUE(task.cases[1].hidden);
  EXPECT_TRUE(task.cases[2].final);
  EXPECT_EQ(task.bytes.evaluate(task.cases[0].sizes), 64);
  EXPECT_TRUE(std::holds_alternative<Elementwise>(task.contract));
  EXPECT_EQ(task.hash, hash_of(task));
}

TEST(Loader, TheHashIsOfTheTaskAndNotOfItsLayout) {
  const auto hash = parse_task(valid_task(), "t.yaml").hash;
  EXPECT_EQ(parse_task(with("sizes: [N]", "sizes:\n  - N  # the length"), "other.yaml").hash, hash);
  EXPECT_NE(parse_task(with("bytes: 8 * N", "bytes: 9 * N"), "t.yaml").hash, hash);
}

TEST(Loader, ReadsTheKeysOfEachDistribution) {
  const auto task =
      parse_task(with("role: in, shape: [N]",
                      "role: in, shape: [N], input: {draw: uniform, low: -N, high: 2 * N, outliers: false}"),
                 "t.yaml");
  const auto& input = task.tensors()[0]->input;
  EXPECT_EQ(input.draw, Draw::uniform);
  EXPECT_EQ(input.low.evaluate({{"N", 3}}), -3);
  EXPECT_EQ(input.high.evaluate({{"N", 3}}), 6);
  EXPECT_FALSE(input.outliers);
  EXPECT_EQ(error("role: in, shape: [N]", "role: in, shape: [N], input: {draw: normal, low: 1}"),
            "t.yaml:8:77: unknown key 'low' in parameters[0].input (known: draw, mean, deviation, outliers)");
  EXPECT_EQ(error("role: in, shape: [N]", "role: in, shape: [N], input: {draw: uniform, low: 1}"),
            "t.yaml:8:62: missing key 'high' in parameters[0].input");
}

TEST(Loader, ReadsContractsOfEveryKind) {
  const auto contract = [](const std::string& text) {
    return parse_task(with("{kind: elementwise}", text), "t.yaml").contract;
  };
  EXPECT_TRUE(std::get<Elementwise>(contract("{kind: elementwise, lower_precision_allowed: true}"))
                  .lower_precision_allowed);
  EXPECT_TRUE(std::holds_alternative<Exact>(contract("{kind: exact}")));
  EXPECT_EQ(std::get<Statistical>(contract("{kind: statistical, p_value: 1e-4}")).p_value, 1e-4);
  EXPECT_EQ(std::get<UpToSign>(contract("{kind: up_to_sign, axis: -2}")).axis, -2);
  const auto quantized = std::get<Quantized>(
      contract("{kind: quantized, reduction: N, unquantized: \"def reference(x, f: float): return x\"}"));
  EXPECT_EQ(quantized.reduction.text(), "N");
}

TEST(Loader, ReadsWhichOutputsAreFactors) {
  auto text = with("{kind: elementwise}", "{kind: up_to_sign, factors: [y]}");
  const std::string shape = "role: out, shape: [N]";
  text.replace(text.find(shape), shape.size(), "role: out, shape: [N, 1]");
  const auto task = parse_task(text, "t.yaml");
  EXPECT_EQ(std::get<UpToSign>(task.contract).factors, std::vector<std::string>{"y"});
  const auto refused = error("{kind: elementwise}", "{kind: up_to_sign, factors: [y]}");
  EXPECT_NE(refused.find("the factor 'y' is no floating or complex output of two or more axes"),
            std::string::npos)
      << refused;
}

/// The valid task with a second output, z, and these lines after the contract.
std::string two_outputs(const std::string& more) {
  auto text = with("  - {scalar", "  - {tensor: z, dtype: float32, role: out, shape: [N]}\n  - {scalar");
  text.replace(text.find("8 * N"), 5, "12 * N");
  return text + more;
}

std::string error_with(const std::string& more) {
  try {
    parse_task(two_outputs(more), "t.yaml");
  } catch (const BadInput& error) {
    return error.what();
  }
  return "";
}

TEST(Loader, ReadsAChoiceAndItsContract) {
  const auto random = parse_task(two_outputs("choice:\n  outputs: [z]\n  choose: 'def choose(x, f: float): "
                                             "return torch.rand_like(x)'\n  contract: {kind: statistical}\n"),
                                 "t.yaml");
  ASSERT_TRUE(random.choice);
  EXPECT_EQ(random.choice->outputs, std::vector<std::string>{"z"});
  EXPECT_TRUE(std::holds_alternative<Statistical>(random.choice->contract));
  const auto checked = parse_task(
      two_outputs("choice:\n  outputs: [z]\n  choose: 'def choose(x, f: float): return x'\n  contract: "
                  "{kind: checked, check: 'def check(x): return x', names: [distance]}\n"),
      "t.yaml");
  EXPECT_EQ(std::get<ByCheck>(checked.choice->contract).names, std::vector<std::string>{"distance"});
}

TEST(Loader, RefusesChoicesThatNoJudgeCanUse) {
  const std::string choose = "  choose: 'def choose(x): return x'\n  contract: {kind: statistical}\n";
  EXPECT_THAT(error_with("choice:\n  outputs: [zz]\n" + choose),
              testing::HasSubstr("'zz' is no tensor of role out with a fixed size; did you mean 'z'?"));
  EXPECT_THAT(error_with("choice:\n  outputs: [y, z]\n" + choose),
              testing::HasSubstr("leave at least one to the reference"));
  EXPECT_THAT(error_with("choice:\n  outputs: []\n" + choose),
              testing::HasSubstr("'outputs' must name some of the outputs"));
  EXPECT_THAT(error_with("choice:\n  outputs: [z]\n  choose: 'def pick(x): return x'\n"),
              testing::HasSubstr("must be TorchScript text that defines 'def choose(...)'"));
  EXPECT_THAT(error_with("choice:\n  outputs: [z]\n  choose: 'def choose(x): return x'\n  contract: {kind: "
                         "exact}\n"),
              testing::HasSubstr("'exact' is no contract of a choice"));
  for (const std::string contract :
       {"{kind: statistical}", "{kind: checked, check: 'def check(x): return x', names: [distance]}"}) {
    auto text = two_outputs("choice:\n  outputs: [z]\n" + choose);
    text.replace(text.find("{kind: elementwise}"), 19, contract);
    EXPECT_THAT([&] { parse_task(text, "t.yaml"); },
                testing::ThrowsMessage<BadInput>(testing::HasSubstr(
                    "beside a choice, the contract of the other outputs must be elementwise or exact")))
        << contract;
  }
  EXPECT_THAT(error("{kind: elementwise}", "{kind: checked, check: 'def check(x): return x', names: []}"),
              testing::HasSubstr("'names' must name what the check returns"));
}

TEST(Loader, RefusesWrongContracts) {
  EXPECT_EQ(error("{kind: elementwise}", "{kind: elementwize}"),
            "t.yaml:18:18: 'elementwize' is no contract; did you mean 'elementwise'? "
            "(known: elementwise, exact, quantized, statistical, up_to_sign, checked)");
  EXPECT_EQ(error("{kind: elementwise}", "{kind: quantized}"),
            "t.yaml:18:11: missing key 'unquantized' in contract");
  EXPECT_EQ(error("{kind: elementwise}", "{kind: exact, slack: 2}"),
            "t.yaml:18:25: unknown key 'slack' in contract (known: kind)");
}

TEST(Loader, RefusesWrongNamesAndCategories) {
  EXPECT_EQ(error("name: scale", "name: 2scale"),
            "t.yaml:1:7: '2scale' is no C identifier; use letters, digits and _, and begin with a letter");
  EXPECT_EQ(error("tensor: x", "tensor: float"),
            "t.yaml:8:14: 'float' is a word of the language, or an argument's name; use another");
  EXPECT_EQ(error("category: Math", "category: Maths")
                .find("t.yaml:2:11: 'Maths' is no category; did you mean 'Math'? (known: Fusion, Math, "),
            0u);
  EXPECT_EQ(error("difficulty: 1", "difficulty: 6"), "t.yaml:3:13: 'difficulty' is 6; it must be in 1..5");
  EXPECT_EQ(error("scalar: f", "scalar: N"),
            "t.yaml:10:5: the name 'N' is already taken by a size or a parameter");
  EXPECT_EQ(error("dtype: float32", "dtype: flaot32")
                .find("t.yaml:8:24: 'parameters[0].dtype' is 'flaot32', which is no valid name; did you mean "
                      "'float32'?"),
            0u);
  EXPECT_EQ(error("scalar: f, ", ""),
            "t.yaml:10:5: a parameter is named by one of the keys 'tensor' and 'scalar'");
  EXPECT_EQ(error("role: out", "role: in"),
            "t.yaml:8:3: no tensor has the role out or inout; a kernel must write something");
  EXPECT_EQ(error("def reference", "def refrence"),
            "t.yaml:15:12: 'reference' must be TorchScript text that defines 'def reference(...)'");
}

TEST(Loader, RefusesWrongExpressionsAndSymbols) {
  EXPECT_EQ(error("bytes: 8 * N", "bytes: 8 * M"),
            "t.yaml:20:8: '8 * M' uses 'M', which is none of the task's sizes; did you mean 'N'? (known: N)");
  EXPECT_EQ(error("operations: N", "operations: N *"),
            "t.yaml:19:13: in the expression 'N *' at character 4: a number, a symbol or '(' is expected");
  EXPECT_EQ(error("sizes: {N: 8}", "sizes: {M: 8}"),
            "t.yaml:12:29: unknown key 'M' in the sizes of case 'typical'; did you mean 'N'?");
  EXPECT_EQ(error("sizes: {N: 8}", "sizes: {N: 8, K: 2}")
                .find("t.yaml:12:35: unknown key 'K' in the sizes of case"),
            0u);
  EXPECT_EQ(error("role: out, shape: [N]", "role: out, shape: [N - 4]"),
            "t.yaml:14:5: in the case 'report': the expression 'N - 4' gives -1, which is no size");
  EXPECT_EQ(error("type: float64, value: 2", "type: int64, value: N / 4"),
            "t.yaml:13:5: in the case 'unseen': the scalar 'f' is an int64, and its value is 1.25");
  EXPECT_EQ(
      error("type: float64, value: 2", "type: bool, value: 2"),
      "t.yaml:12:5: in the case 'typical': the scalar 'f' is a bool, and its value 2 is neither 0 nor 1");
}

TEST(Loader, RefusesValuesThatNoJudgeCanUse) {
  EXPECT_EQ(error("{N: 8}", "{N: 1e18}"),
            "t.yaml:12:32: 'cases[0].sizes.N' must be a whole number, but is the number 1e18");
  EXPECT_EQ(error("shape: [N]}\n  - {scalar", "shape: [N * 1000000, N * 1000000]}\n  - {scalar"),
            "t.yaml:12:5: in the case 'typical': its tensors have 256 TB, and no machine has that: give "
            "smaller sizes");
  EXPECT_EQ(
      error("shape: [N]}\n  - {scalar", "shape: [N * 1000000000, 1000000000, 1000000000]}\n  - {scalar"),
      "t.yaml:12:5: in the case 'typical': its tensors have 3.2e+16 TB, and no machine has that: give "
      "smaller sizes");
  EXPECT_EQ(error("bytes: 8 * N", "bytes: N ** 10000"),
            "t.yaml:12:5: in the case 'typical': 'bytes' is inf; a call reads and writes some");
  EXPECT_EQ(error("operations: N", "operations: sqrt(0 - N)"),
            "t.yaml:12:5: in the case 'typical': 'operations' is -nan; a call has 0 or more");
  EXPECT_EQ(
      error("role: in, shape: [N]", "role: in, shape: [N], input: {draw: uniform, low: 0, high: N ** 10000}"),
      "t.yaml:12:5: in the case 'typical': the input of 'x' is drawn by 'N ** 10000', which is inf; give a "
      "number");
  EXPECT_EQ(error("type: float64, value: 2", "type: int64, value: 10 ** 30"),
            "t.yaml:12:5: in the case 'typical': the scalar 'f' is an int64, and its value is 1e+30");
}

TEST(Loader, RequiresCasesOfEveryKind) {
  EXPECT_EQ(
      error(", timed: true", ""),
      "t.yaml:12:3: no case is timed on cpu; mark at least one 'timed: true', since the speed-up is over "
      "timed cases");
  EXPECT_EQ(
      error(", hidden: true", ""),
      "t.yaml:12:3: no case is hidden on cpu; mark at least one 'hidden: true', so that shapes cannot be "
      "hard-coded");
  EXPECT_EQ(error(", final: true", ""),
            "t.yaml:12:3: no case is final on cpu; mark at least one 'final: true', for reports on an unseen "
            "shape");
  EXPECT_EQ(
      error("timed: true", "timed: true, backend: cpu"),
      "t.yaml:12:3: no case is timed on cuda; mark at least one 'timed: true', since the speed-up is over "
      "timed cases");
  EXPECT_EQ(error("timed: true", "timed: true, backend: gpu"),
            "t.yaml:12:58: a case's backend is cpu or cuda; leave the key out for a case of every backend");
  EXPECT_EQ(error("final: true", "final: true, timed: true"),
            "t.yaml:14:5: case 'report' is final, which is for reports alone; it cannot be timed or hidden");
  EXPECT_EQ(error("name: unseen", "name: typical"), "t.yaml:13:5: there is another case 'typical'");
}

TEST(Loader, CountsReferToAnOutput) {
  const std::string y = "{tensor: y, dtype: float32, role: out, shape: [N]}";
  const auto counted = [&](const std::string& name, const std::string& count) {
    return with(y, "{tensor: y, dtype: float32, role: out, shape: [N], count: " + name + "}\n  - " + count);
  };
  const std::string good = "{tensor: used, dtype: int64, role: out, shape: [1]}";
  EXPECT_EQ(parse_task(counted("used", good), "t.yaml").tensors()[1]->count, "used");
  EXPECT_EQ(message_of([&] { parse_task(counted("usd", good), "t.yaml"); }),
            "t.yaml:9:5: the count 'usd' is no parameter; did you mean 'used'? (known: used)");
  EXPECT_EQ(message_of([&] {
              parse_task(counted("used", "{tensor: used, dtype: int32, role: out, shape: [1]}"), "t.yaml");
            }),
            "t.yaml:9:5: the count 'used' must be an int64 tensor of role out and shape [1]");
  EXPECT_EQ(error("role: in, shape: [N]", "role: in, shape: [N], count: y"),
            "t.yaml:8:62: only an output (role out) can have a count");
  EXPECT_EQ(error("role: out, shape: [N]", "role: out, shape: [N], input: {draw: normal}"),
            "t.yaml:9:63: an output has no input distribution");
}

}  // namespace
}  // namespace ridgeline::benchmark_tasks
