// Answers in triton, from their text to a verdict, on a CPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <nlohmann/json.hpp>

#include "tests/engine/cli/batch.hpp"

namespace ridgeline::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

const std::string clone = std::string(RIDGELINE_SOURCE_DIR) + "/tests/engine/suites/kernelbench/clone";

/// For 10_normalised_layer: all of it but the product of matrices is a kernel, of which `result` is the end.
std::string layer(const std::string& result, const std::string& forward = "") {
  return R"(import torch
import triton
import triton.language as tl

@triton.jit
def rectified(x):
    return tl.where(x > 0, x, 0.0)

@triton.jit
def normalise(y, g, t, out, rows, columns, eps, ROWS: tl.constexpr):
    j = tl.program_id(0)
    i = tl.arange(0, ROWS)
    inside = i < rows
    values = tl.load(y + i * columns + j, mask=inside, other=0.0)
    off = tl.where(inside, values - tl.sum(values, 0) / rows, 0.0)
    scale = 1 / tl.sqrt(tl.sum(off * off, 0) / rows + eps)
    result = off * scale * tl.load(g + j) + tl.load(t + j)
    tl.store(out + i * columns + j, )" +
         result + R"(, mask=inside)

class ModelNew(torch.nn.Module):
    def __init__(self, features, width, eps):
        super().__init__()
        self.linear = torch.nn.Linear(features, width)
        self.norm = torch.nn.BatchNorm1d(width, eps=eps)
    def forward(self, x):
        y = self.linear(x)
        rows, columns = y.shape
        out = torch.empty_like(y)
)" + forward +
         R"(        normalise[(columns,)](y, self.norm.weight, self.norm.bias, out, rows, columns, self.norm.eps,
                              ROWS=triton.next_power_of_2(rows))
        return out
)";
}

class OracleJudgesTriton : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ::setenv("RIDGELINE_PYTHON", RIDGELINE_PYTHON, 1);
    const auto ask = [](const char* id, const char* language, const std::string& source) {
      batch_.ask(id, "level2/10_normalised_layer", language, source);
    };
    ask("triton", "triton", layer("rectified(result)"));
    ask("torch", "torch", layer("rectified(result)"));
    ask("not correct", "triton", layer("1.01 * rectified(result)"));
    ask("not rectified", "triton", layer("result"));
    ask("raises", "triton", layer("rectified(result + tl.arange(0, 2))"));
    ask("in forward", "triton", layer("rectified(result)", "        raise ValueError('no such thing')\n"));
    ask("crashes", "triton", layer("tl.load(out + i.to(tl.int64) * 1000000000)"));
    ask("reaches out", "triton", layer("rectified(result)", "        import socket; socket.socket()\n"));
    ask("no syntax", "triton", layer("rectified(result"));
    ask("no model", "triton", "import triton\n");
    batch_.run({"--suite", "kernelbench:" + clone});
  }

  static const json& verdict(const std::string& id) { return batch_.verdict(id); }
  static std::string failure(const std::string& id) { return batch_.failure(id); }

  static Batch batch_;
};
Batch OracleJudgesTriton::batch_;

TEST_F(OracleJudgesTriton, JudgesHonestAnswersInEitherLanguage) {
  for (const char* id : {"triton", "torch"}) {
    EXPECT_EQ(verdict(id).at("correct"), true) << id << ": " << failure(id);
    EXPECT_EQ(verdict(id).at("verdict").at("faithful_correct"), true) << id;
  }
}

TEST_F(OracleJudgesTriton, WrongValuesAreFound) {
  for (const char* id : {"not correct", "not rectified"})
    EXPECT_THAT(failure(id), HasSubstr("correctness: wrong_values")) << id;
}

TEST_F(OracleJudgesTriton, QuotesWhatAKernelOrItsAnswerRaises) {
  EXPECT_THAT(failure("raises"),
              AllOf(HasSubstr("call: raised: ValueError: "), HasSubstr("(line 18 of answer.py)")));
  EXPECT_THAT(failure("in forward"),
              HasSubstr("call: raised: ValueError: no such thing (line 29 of answer.py)"));
}

TEST_F(OracleJudgesTriton, AKernelIsConfinedAsItsAnswerIs) {
  EXPECT_THAT(failure("crashes"), HasSubstr("call: crashed"));
  EXPECT_THAT(failure("reaches out"), HasSubstr("call: sandbox_violation"));
}

TEST_F(OracleJudgesTriton, AnAnswerWithoutAKernelDoesNotBuild) {
  EXPECT_THAT(failure("no syntax"), HasSubstr("build: compile_error: answer.py:18"));
  EXPECT_THAT(failure("no model"), HasSubstr("build: missing_entry_point"));
}

}  // namespace
}  // namespace ridgeline::cli
