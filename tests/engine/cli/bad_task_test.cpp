// Task files that no candidate can be judged by, against the shipped program: `tasks check` and `evaluate`
// say what is wrong and where in the file, within a bounded time.
#include <gtest/gtest.h>

#include <ostream>

#include "tests/engine/cli/refusal.hpp"

namespace ridgeline::cli {
namespace {

using Texts = std::vector<std::string>;

/// Line 16 begins the reference, line 18 is its body.
constexpr const char* sound = R"(name: scale
category: Math
difficulty: 1
description: Multiplies by two and adds the sine.
formula: y = 2 * x + sin(x)
sizes: [M, N]
parameters:
  - {tensor: x, dtype: float32, role: in, shape: [M, N]}
  - {tensor: y, dtype: float32, role: out, shape: [M, N]}
cases:
  - {name: small, sizes: {M: 4, N: 16}}
  - {name: typical, sizes: {M: 64, N: 512}, timed: true}
  - {name: unseen, sizes: {M: 31, N: 203}, hidden: true}
  - {name: report, sizes: {M: 43, N: 401}, final: true}

reference: |
  def reference(x):
      return x * 2.0 + torch.sin(x)
operations: 3 * M * N
bytes: 8 * M * N
)";

constexpr const char* kernel = R"(#include <cmath>
#include <cstdint>
extern "C" void kernel_scale(const float* x, float* y, int64_t m, int64_t n, void*) {
  for (int64_t i = 0; i < m * n; ++i) y[i] = 2 * x[i] + std::sin(x[i]);
})";

std::string with(const std::string& from, const std::string& to) {
  std::string text = sound;
  const auto at = text.find(from);
  if (at == std::string::npos) ADD_FAILURE() << "'" << from << "' is not in the task";
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

struct BadTask {
  const char* name;
  std::string from, to;
  Texts says;
};

void PrintTo(const BadTask& bad, std::ostream* out) {
  *out << bad.name;
}

class BadTasks : public testing::TestWithParam<BadTask> {
 protected:
  void refuse(const Texts& words) {
    SCOPED_TRACE(words[0]);
    refusal.expect(words, GetParam().says);
  }
  Refusal refusal;
};

TEST_P(BadTasks, AreRefusedByCheckAndByEvaluate) {
  refusal.write("scale.yaml", with(GetParam().from, GetParam().to));
  refusal.write("kernel.cpp", kernel);
  refusal.limit =
      300;  // of the loop that does not end: 10 s of a processor twice, which a busy machine stretches
  refuse({"tasks", "check", refusal.path("scale.yaml")});
  refuse({"evaluate", refusal.path("scale.yaml"), refusal.path("kernel.cpp"), "--isolation", "none"});
}

const char* const body = "return x * 2.0 + torch.sin(x)";

INSTANTIATE_TEST_SUITE_P(
    Cli, BadTasks,
    testing::Values(
        BadTask{"Random",
                body,
                "return x * 2.0 + torch.randn_like(x)",
                {"scale.yaml:18:24: task 'scale': randn_like draws random numbers",
                 "take the numbers as an input"}},
        BadTask{"Endless",
                body,
                "y = x\n      while y.numel() > 0:\n          y = y + 1.0\n      return y",
                {"scale.yaml:16:12: task 'scale', case '", "the reference has not ended after",
                 "see to it that its loops end"}},
        BadTask{"Nan",
                body,
                "return x * torch.nan",
                {"scale.yaml:16:12: task 'scale', case 'small'", "64 of 64 elements of 'y' are NaN",
                 "draw inputs that"}},
        BadTask{"AsksFor25TB",
                body,
                "return x + torch.zeros([2500000, 10000000], dtype=torch.uint8)[0, 0]",
                {"scale.yaml:18:18: task 'scale', case 'small': asks for 25 TB", "smaller sizes"}},
        BadTask{"IsOf25TB",
                "{M: 64, N: 512}",
                "{M: 2500000, N: 1250000}",
                {"scale.yaml:12:5: in the case 'typical': its tensors have 25 TB", "give smaller sizes"}},
        BadTask{"Overflows",
                "{M: 64, N: 512}",
                "{M: 1000000000, N: 1000000000}",
                {"scale.yaml:12:5: in the case 'typical': its tensors have 8e+06 TB"}},
        BadTask{"UnknownName",
                body,
                "return x * 2.0 + y",
                {"scale.yaml:18:24: task 'scale': no TorchScript", "undefined value y"}},
        BadTask{"UnknownOperator",
                body,
                "return torch.sinn(x)",
                {"scale.yaml:18:14: ", "Unknown builtin op: aten::sinn"}},
        BadTask{"BadSyntax",
                body,
                "return x +",
                {"scale.yaml:19:3: ", "no TorchScript that compiles: expected ident"}},
        BadTask{"FailsWhenRun",
                body,
                "assert x.numel() > 100, \"too small\"\n      return x * 2.0 + torch.sin(x)",
                {"scale.yaml:18:7: task 'scale', case 'small': AssertionError: too small"}},
        BadTask{"FloatingDtype",
                body,
                "return x.to(torch.float32)",
                {"scale.yaml:18:19: ", "take the dtype from an argument"}},
        BadTask{"WrongShape",
                body,
                "return x.sum()",
                {"scale.yaml:16:12: ", "has shape [], and the task declares [4, 16]"}},
        BadTask{"CallsItself", body, "return reference(x)", {"scale.yaml:18:14: ", "called recursively"}},
        BadTask{"MisspeltKey",
                "operations:",
                "operation:",
                {"scale.yaml:19:1: unknown key 'operation'", "did you mean 'operations'?"}},
        BadTask{"DuplicateKey",
                "operations:",
                "name: scale\noperations:",
                {"scale.yaml:19:1: duplicate key 'name'; the first stands at "}},
        BadTask{"NotUtf8", "Multiplies", "Multipli\xE9s", {"scale.yaml:4:22: the byte 0xE9 is not UTF-8"}},
        BadTask{"Nul", "Multiplies", std::string("Multi\0lies", 10), {"scale.yaml:4:19: a NUL byte"}},
        BadTask{"TooLarge", "Multiplies", std::string(3 << 20, 'x'), {"scale.yaml: has 3072 KiB"}},
        BadTask{"DeepExpression",
                "3 * M * N",
                std::string(200'000, '(') + "M" + std::string(200'000, ')'),
                {"scale.yaml:19:13: the expression that begins with '((((", "at most 1000"}},
        BadTask{"EndlessCount",
                "3 * M * N",
                "3 ** (M ** N)",
                {"scale.yaml:11:5: in the case 'small': 'operations' is inf"}}),
    [](const auto& one) { return one.param.name; });

TEST(BadTask, TheUnspoiledTaskIsSound) {
  const Refusal refusal;
  refusal.write("scale.yaml", sound);
  const auto ran = ridgeline({"tasks", "check", refusal.path("scale.yaml")}, "", 60);
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
}

TEST(BadTask, OneBadTaskOfSeveralIsNamed) {
  Refusal refusal;
  refusal.write("scale.yaml", with(body, "return torch.rand_like(x)"));
  refusal.expect({"tasks", "check", "softmax", refusal.path("scale.yaml"), "abs"},
                 {"scale.yaml:18:14: task 'scale'"});
}

}  // namespace
}  // namespace ridgeline::cli
