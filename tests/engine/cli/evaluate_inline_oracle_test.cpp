// Answers that hand C++ to load_inline, from their text to a verdict, on a CPU.
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

const std::string imports = "import torch\nfrom torch.utils.cpp_extension import load_inline\n";

/// Returns C++ that computes all of 10_normalised_layer but the product of matrices, times `factor`.
std::string source(const std::string& factor = "1") {
  return "'''\n#include <cmath>\n"
         "torch::Tensor normalised(torch::Tensor y, torch::Tensor g, torch::Tensor t, double eps) {\n"
         "  TORCH_CHECK(y.dim() == 2, \"y must be a matrix\");\n"
         "  const int64_t rows = y.size(0), columns = y.size(1);\n"
         "  auto out = torch::empty_like(y);\n"
         "  const float *py = y.data_ptr<float>(), *pg = g.data_ptr<float>(), *pt = t.data_ptr<float>();\n"
         "  float* po = out.data_ptr<float>();\n"
         "  for (int64_t j = 0; j < columns; ++j) {\n"
         "    double sum = 0, square = 0;\n"
         "    for (int64_t i = 0; i < rows; ++i) sum += py[i * columns + j];\n"
         "    for (int64_t i = 0; i < rows; ++i) square += std::pow(py[i * columns + j] - sum / rows, 2);\n"
         "    for (int64_t i = 0; i < rows; ++i) {\n"
         "      const double r = (py[i * columns + j] - sum / rows) / std::sqrt(square / rows + eps);\n"
         "      po[i * columns + j] = float(" +
         factor +
         " * std::fmax(0.0, r * pg[j] + pt[j]));\n"
         "    }\n  }\n  return out;\n}\n'''\n";
}

/// ModelNew, whose forward hands what is left to `call`.
std::string model(const std::string& call, const std::string& init = "") {
  return "class ModelNew(torch.nn.Module):\n"
         "    def __init__(self, features, width, eps):\n        super().__init__()\n"
         "        self.linear = torch.nn.Linear(features, width)\n"
         "        self.norm = torch.nn.BatchNorm1d(width, eps=eps)\n" +
         init +
         "    def forward(self, x):\n        y = self.linear(x)\n"
         "        return " +
         call + "(y, self.norm.weight, self.norm.bias, self.norm.eps)\n";
}

const std::string load = "load_inline(name='layer', cpp_sources=SOURCE, functions=['normalised'])";
const std::string bindings = "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"run\", &normalised); }";

class OracleJudgesInlineAnswers : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ::setenv("RIDGELINE_PYTHON", RIDGELINE_PYTHON, 1);
    const auto ask = [](const char* id, const std::string& answer) {
      batch_.ask(id, "level2/10_normalised_layer", "torch", imports + answer);
    };
    const std::string honest = "SOURCE = " + source();
    ask("functions", honest + "made = " + load + "\n" + model("made.normalised"));
    ask("bindings",
        honest + "made = load_inline('layer', [SOURCE, '" + bindings + "'])\n" + model("made.run"));
    ask("in init", honest + model("self.made.normalised", "        self.made = " + load + "\n"));
    ask("two modules", honest + "made = " + load +
                           "\ntwice = load_inline('twice', 'torch::Tensor twice(torch::Tensor x) "
                           "{ return x + x; }', functions=['twice'])\n" +
                           model("(lambda *all: 0.5 * twice.twice(made.normalised(*all)))"));
    ask("not correct", "SOURCE = " + source("1.01") + "made = " + load + "\n" + model("made.normalised"));
    ask("no C++", "SOURCE = " + source("one") + "made = " + load + "\n" + model("made.normalised"));
    ask("another at run time",
        honest +
            "import time\nmade = load_inline('layer', SOURCE + '// ' + str(time.time_ns()), "
            "functions=['normalised'])\n" +
            model("made.normalised"));
    ask("drawn name",
        honest +
            "import time\nmade = load_inline(f'layer_{time.time_ns()}', SOURCE, functions=['normalised'])\n" +
            model("made.normalised"));
    ask("in forward", honest + model(load + ".normalised"));
    ask("raises at import",
        honest + "made = " + load + "\nraise ValueError('no such thing')\n" + model("made.run"));
    ask("throws",
        honest + "made = " + load + "\n" + model("(lambda y, *rest: made.normalised(y[0], *rest))"));
    ask("crashes",
        "SOURCE = '''torch::Tensor normalised(torch::Tensor y, torch::Tensor, torch::Tensor, double) "
        "{ *(volatile int*)16 = 1; return y; }'''\nmade = " +
            load + "\n" + model("made.normalised"));
    ask("reaches out",
        "SOURCE = '''#include <sys/socket.h>\ntorch::Tensor normalised(torch::Tensor y, torch::Tensor, "
        "torch::Tensor, "
        "double) { ::socket(1, 1, 0); return y; }'''\nmade = " +
            load + "\n" + model("made.normalised"));
    batch_.run({"--no-torch-headers", "--suite", "kernelbench:" + clone});
  }

  static const json& verdict(const std::string& id) { return batch_.verdict(id); }
  static const json& stage(const std::string& id, const char* name) { return batch_.stage(id, name); }
  static std::string failure(const std::string& id) { return batch_.failure(id); }

  static Batch batch_;
};
Batch OracleJudgesInlineAnswers::batch_;

TEST_F(OracleJudgesInlineAnswers, HonestAnswersAreBuiltComparedAndTimed) {
  for (const char* id : {"functions", "bindings", "in init", "drawn name", "in forward", "two modules"}) {
    EXPECT_EQ(verdict(id).at("correct"), true) << id << ": " << failure(id);
    EXPECT_GT(verdict(id).at("speedup"), 0) << id;
    EXPECT_THAT(std::string(stage(id, "build").at("detail")),
                testing::AnyOf(HasSubstr("with slim headers"), HasSubstr("from the cache")))
        << id;
  }
}

TEST_F(OracleJudgesInlineAnswers, WrongValuesAreFound) {
  EXPECT_THAT(failure("not correct"), HasSubstr("correctness: wrong_values"));
}

TEST_F(OracleJudgesInlineAnswers, CompileErrorsAreTheCompilersWordsOnTheAnswersLines) {
  EXPECT_THAT(failure("no C++"),
              AllOf(HasSubstr("build: compile_error: answer.py:17:"), HasSubstr("'one' was not declared")));
  EXPECT_THAT(std::string(verdict("no C++").at("verdict").at("build_log")),
              HasSubstr("17 |       po[i * columns + j] = float(one *"));
}

TEST_F(OracleJudgesInlineAnswers, ARequestThatDoesNotBuildIsReportedAsSuch) {
  EXPECT_THAT(failure("another at run time"),
              AllOf(HasSubstr("call: raised: RuntimeError: the extension 'layer' was not built"),
                    HasSubstr("of answer.py)")));
}

TEST_F(OracleJudgesInlineAnswers, QuotesWhatAModuleOrItsAnswerRaises) {
  EXPECT_THAT(failure("raises at import"),
              HasSubstr("call: raised: ValueError: no such thing (line 24 of answer.py)"));
  EXPECT_THAT(failure("throws"), HasSubstr("call: raised: RuntimeError: y must be a matrix"));
}

TEST_F(OracleJudgesInlineAnswers, AModuleIsConfinedAsItsAnswerIs) {
  EXPECT_THAT(failure("crashes"), HasSubstr("call: crashed"));
  EXPECT_THAT(failure("reaches out"), HasSubstr("call: sandbox_violation"));
  EXPECT_EQ(verdict("reaches out").at("verdict").at("cheated"), true);
}

}  // namespace
}  // namespace ridgeline::cli
