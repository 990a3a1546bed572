// Answers to KernelBench-X's files: functions, judged in all cases of their task's test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <nlohmann/json.hpp>

#include "tests/engine/cli/batch.hpp"
#include "tests/engine/cli/program.hpp"

namespace ridgeline::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string functions_clone =
    std::string(RIDGELINE_SOURCE_DIR) + "/tests/engine/suites/kernelbenchx/clone";

/// An answer to Activation/half_relu whose function returns this.
std::string half_relu(const std::string& result, const std::string& name = "half_relu") {
  return "import torch\nkept = {}\n\n\ndef " + name +
         "(input, weight=None, *, scale=1.0, out=None):\n"
         "    w = 1 if weight is None else weight\n    return " +
         result + "\n";
}

const std::string honest_half = "torch.where(input < 0, input * 0.5, input) * scale * w";

const char* const halving_in_triton = R"(
import torch
import triton
import triton.language as tl


@triton.jit
def step(param, grad, lr, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < count
    value = tl.load(param + at, mask=mask) - lr * 0.5 * tl.load(grad + at, mask=mask)
    tl.store(param + at, value, mask=mask)


def halving_step(param, grad, lr=0.1):
    step[(triton.cdiv(param.numel(), 64),)](param, grad, lr, param.numel(), BLOCK=64)
    return param
)";

class OracleJudgesFunctions : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ::setenv("RIDGELINE_PYTHON", RIDGELINE_PYTHON, 1);
    const auto ask = [](const char* id, const std::string& source, const char* task = "Activation/half_relu",
                        const char* language = "torch") { batch_.ask(id, task, language, source); };
    ask("honest", half_relu(honest_half));
    ask("under the common name", half_relu(honest_half, "kernel_function"));
    ask("by its stem", half_relu(honest_half), "half_relu");
    ask("a class",
        "import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, a, b, c):\n"
        "        f = lambda x: torch.where(x < 0, x * 0.5, x)\n"
        "        return f(a), f(a) * 2.0 * b, f(c)\n");
    ask("wrong in one case", half_relu("torch.where(input < 0, input * 0.5, input) * w"));
    ask("within the public rule", half_relu(honest_half + " * 1.000004"));
    ask("remembers", half_relu("kept.setdefault((input.shape, scale), " + honest_half + ")"));
    ask("writes its input", half_relu("input.mul_(0.5)"));
    ask("another name", half_relu(honest_half, "half_rely"));
    ask("one result of two", half_relu("(input, input)"));
    ask("returns a text", half_relu("'done'"));
    ask("raises", half_relu("no_such_name"));
    ask("in place",
        "def halving_step(param, grad, lr=0.1):\n    param.sub_(grad * 0.5, alpha=lr)\n    return param\n",
        "Optimizer/Halving");
    ask("a kernel", halving_in_triton, "Optimizer/Halving", "triton");
    ask("refused", "def product_w8a8(a, b):\n    return a @ b\n", "product_w8a8");
    batch_.run({"--suite", "kernelbenchx:" + functions_clone});
  }

  static const json& verdict(const std::string& id) { return batch_.verdict(id); }
  static std::string reason(const std::string& id, const char* stage) { return batch_.reason(id, stage); }
  static std::string detail(const std::string& id, const char* stage) { return batch_.detail(id, stage); }

  static Batch batch_;
};
Batch OracleJudgesFunctions::batch_;

TEST_F(OracleJudgesFunctions, HonestAnswersPassInEachForm) {
  for (const char* id :
       {"honest", "under the common name", "by its stem", "a class", "in place", "a kernel"}) {
    EXPECT_EQ(verdict(id).at("correct"), true) << id << ": " << verdict(id).dump(1);
    EXPECT_GT(verdict(id).at("speedup"), 0) << id;
    EXPECT_EQ(verdict(id).at("verdict").at("faithful_correct"), true) << id;
  }
}

TEST_F(OracleJudgesFunctions, EachCaseCounts) {
  EXPECT_EQ(reason("wrong in one case", "correctness"), "wrong_values");
  EXPECT_EQ(verdict("wrong in one case").at("verdict").at("faithful_correct"), false);
}

TEST_F(OracleJudgesFunctions, TheirOwnRuleStandsBeside) {
  EXPECT_EQ(reason("within the public rule", "correctness"), "wrong_values");
  EXPECT_EQ(verdict("within the public rule").at("verdict").at("faithful_correct"), true);
}

TEST_F(OracleJudgesFunctions, ResultsOfOtherInputsAndChangedInputsAreWrong) {
  EXPECT_EQ(reason("remembers", "correctness"), "wrong_values");
  EXPECT_EQ(reason("writes its input", "correctness"), "input_modified");
}

TEST_F(OracleJudgesFunctions, SayWhatIsMissing) {
  EXPECT_EQ(reason("another name", "build"), "missing_entry_point");
  EXPECT_THAT(detail("another name", "build"), HasSubstr("defines no half_relu"));
  EXPECT_THAT(verdict("returns a text").dump(), HasSubstr("returned a str among its results"));
  EXPECT_NE(verdict("one result of two").at("correct"), true);
  EXPECT_THAT(verdict("raises").dump(), HasSubstr("no_such_name"));
}

TEST_F(OracleJudgesFunctions, ATaskThatCannotBeJudgedIsRefusedWithItsReason) {
  EXPECT_THAT(verdict("refused").dump(), HasSubstr("quantization: it asks for int8 weights"));
}

}  // namespace
}  // namespace ridgeline::cli
