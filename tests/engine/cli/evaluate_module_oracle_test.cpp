// Answers to KernelBench's files, judged as a trainer has them judged: one warm worker, one line an answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <nlohmann/json.hpp>

#include "tests/engine/cli/batch.hpp"
#include "tests/engine/cli/program.hpp"

namespace ridgeline::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr, testing::Not;

const std::string clone = std::string(RIDGELINE_SOURCE_DIR) + "/tests/engine/suites/kernelbench/clone";

const std::string honest =
    "        y = torch.addmm(self.linear.bias, x, self.linear.weight.t())\n"
    "        m, v = y.mean(0), y.var(0, unbiased=False)\n"
    "        y = (y - m) * torch.rsqrt(v + self.norm.eps)\n"
    "        return torch.relu(y * self.norm.weight + self.norm.bias)\n";

const char* const native = R"(
#include <cmath>
#include <cstdint>
extern "C" void kernel_level2_10_normalised_layer(const float* x, const float* w, const float* b, const float* g,
                                                  const float* t, const float*, const float*, const int64_t*,
                                                  float* out, void*) {
  for (int j = 0; j < 80; ++j) {
    double y[32], m = 0, v = 0;
    for (int i = 0; i < 32; ++i) {
      y[i] = b[j];
      for (int k = 0; k < 48; ++k) y[i] += double(x[i * 48 + k]) * w[j * 48 + k];
      m += y[i] / 32;
    }
    for (int i = 0; i < 32; ++i) v += (y[i] - m) * (y[i] - m) / 32;
    for (int i = 0; i < 32; ++i) {
      const double r = (y[i] - m) / std::sqrt(v + 1e-5) * g[j] + t[j];
      out[i * 80 + j] = r > 0 ? float(r) : 0.0F;
    }
  }
}
)";

class OracleJudgesAnswers : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ::setenv("RIDGELINE_PYTHON", RIDGELINE_PYTHON, 1);
    const auto ask = [](const char* id, const char* language, const std::string& source,
                        const char* task = "level2/10_normalised_layer") {
      batch_.ask(id, task, language, source);
    };
    ask("honest", "torch", normalised_layer(honest));
    ask("native", "cpp", native);
    ask("off by a hundredth", "torch",
        normalised_layer("        return 1.01 * torch.relu(self.norm(self.linear(x)))\n"));
    ask("off by as much as the public rule allows", "torch",
        normalised_layer("        return 1.00005 * torch.relu(self.norm(self.linear(x)))\n"));
    ask("so once, and wrong afterwards", "torch",
        normalised_layer(
            "        self.calls += 1\n"
            "        return (1.00005 if self.calls == 1 else 2) * torch.relu(self.norm(self.linear(x)))\n"));
    ask("its own weights", "torch",
        "import torch\nclass ModelNew(torch.nn.Module):\n"
        "    def __init__(self, features, width, eps):\n        super().__init__()\n"
        "        torch.manual_seed(42)\n        self.w = torch.randn(width, features)\n"
        "    def forward(self, x):\n        return torch.relu(x @ self.w.t())\n");
    ask("packs when it is constructed", "torch",
        normalised_layer(
            "        return torch.relu(self.norm(torch.addmm(self.packed[1], x, self.packed[0])))\n"
            "    def __setattr__(self, name, value):\n"
            "        super().__setattr__(name, value)\n"
            "        if name == 'calls' and value == 0:\n"
            "            self.packed = self.linear.weight.detach().t().clone(), "
            "self.linear.bias.detach().clone()\n"));
    ask("writes its input", "torch",
        normalised_layer("        x.mul_(1)\n        x[0, 0] += 1e-3\n" + honest));
    ask("right, then lazy", "torch",
        normalised_layer("        self.calls += 1\n        if self.calls > 12: return torch.zeros(32, 80)\n" +
                         honest));
    ask("remembers", "torch",
        normalised_layer("        if self.calls == 0: self.kept = torch.relu(self.norm(self.linear(x)))\n"
                         "        self.calls += 1\n        return self.kept\n"));
    ask("patches allclose", "torch",
        normalised_layer("        return torch.zeros(32, 80)\n",
                         "torch.allclose = lambda *a, **k: True\n"
                         "torch.Tensor.copy_ = lambda self, other: self\n"));
    ask("raises", "torch", normalised_layer("        raise ValueError('no such thing')\n"));
    ask("wrong shape", "torch", normalised_layer("        return torch.zeros(80, 32)\n"));
    ask("ends", "torch", normalised_layer("        import os; os._exit(0)\n"));
    ask("reaches out", "torch", normalised_layer("        import socket; socket.socket()\n"));
    ask("no model", "torch", "import torch\nclass Modell(torch.nn.Module): pass\n");
    ask("bad syntax", "torch", normalised_layer("        return (x\n"));
    ask("indices", "torch",
        "import torch\nclass ModelNew(torch.nn.Module):\n"
        "    def __init__(self, dim):\n        super().__init__()\n    def forward(self, x):\n"
        "        return torch.max(x, dim=1).indices\n",
        "level1/2_largest_index");
    batch_.run({"--suite", "kernelbench:" + clone});
  }

  static const json& verdict(const std::string& id) { return batch_.verdict(id); }
  static std::string reason(const std::string& id, const char* stage) { return batch_.reason(id, stage); }
  static std::string detail(const std::string& id, const char* stage) { return batch_.detail(id, stage); }

  static Batch batch_;
};
Batch OracleJudgesAnswers::batch_;

TEST_F(OracleJudgesAnswers, HonestAnswersPassAndAreTimedAgainstTheModule) {
  for (const char* id : {"honest", "native", "indices"}) {
    EXPECT_EQ(verdict(id).at("correct"), true) << id << ": " << verdict(id).dump(1);
    EXPECT_GT(verdict(id).at("speedup"), 0) << id;
    EXPECT_EQ(verdict(id).at("verdict").at("faithful_correct"), true) << id;
  }
  EXPECT_THAT(verdict("native").at("verdict").at("timing").at("baseline"), HasSubstr("Python"));
}

TEST_F(OracleJudgesAnswers, OperatorsOfTorchAreNoted) {
  EXPECT_THAT(verdict("honest").at("verdict").at("notes").dump(),
              HasSubstr("computes by torch's operators: add (2 times), mul (2 times), addmm"));
  EXPECT_THAT(verdict("native").at("verdict").at("notes").dump(), Not(HasSubstr("operators")));
}

TEST_F(OracleJudgesAnswers, RejectsOperatorsOfTorchIfKernelsAreWanted) {
  const auto lines = json{{"id", "1"},
                          {"task", "level2/10_normalised_layer"},
                          {"language", "torch"},
                          {"source", normalised_layer(honest)}};
  const auto ran =
      ridgeline({"evaluate", "--batch", "-", "--fallback", "reject", "--suite", "kernelbench:" + clone},
                lines.dump() + "\n");
  const auto answer = json::parse(ran.out);
  EXPECT_EQ(answer.at("correct"), false);
  EXPECT_EQ(answer.at("reason"), "falls_back") << answer.dump(1);
  EXPECT_EQ(answer.at("verdict").at("faithful_correct"), true) << "KernelBench's own rule does not ask";
}

TEST_F(OracleJudgesAnswers, DistinguishesKindsOfWrongValues) {
  EXPECT_EQ(reason("off by a hundredth", "correctness"), "wrong_values");
  EXPECT_EQ(verdict("off by a hundredth").at("verdict").at("faithful_correct"), false);
  EXPECT_EQ(reason("off by as much as the public rule allows", "correctness"), "wrong_values");
  EXPECT_EQ(verdict("off by as much as the public rule allows").at("verdict").at("faithful_correct"), true);
  EXPECT_EQ(verdict("so once, and wrong afterwards").at("verdict").at("faithful_correct"), false)
      << "KernelBench looks at five draws";
  EXPECT_EQ(reason("its own weights", "correctness"), "wrong_values");
  EXPECT_EQ(verdict("its own weights").at("verdict").at("faithful_correct"), false);
  EXPECT_EQ(reason("remembers", "correctness"), "wrong_values");
  EXPECT_EQ(reason("writes its input", "correctness"), "input_modified");
  EXPECT_EQ(reason("right, then lazy", "timing"), "wrong_when_timed");
}

TEST_F(OracleJudgesAnswers, WeightsMadeInTheConstructorPassThePublicRuleAlone) {
  const char* const id = "packs when it is constructed";
  EXPECT_EQ(reason(id, "correctness"), "wrong_values");
  EXPECT_EQ(verdict(id).at("verdict").at("faithful_correct"), true) << verdict(id).dump(1);
  EXPECT_THAT(verdict(id).at("verdict").at("notes").dump(),
              HasSubstr("the weights of its construction alone"));
}

TEST_F(OracleJudgesAnswers, PatchesOfTheInterpreterReachNothing) {
  EXPECT_NE(verdict("patches allclose").at("correct"), true);
}

TEST_F(OracleJudgesAnswers, QuotesFailuresOfAModule) {
  EXPECT_EQ(reason("raises", "call"), "raised");
  EXPECT_THAT(detail("raises", "call"), HasSubstr("ValueError: no such thing (line 9 of answer.py)"));
  EXPECT_EQ(reason("wrong shape", "call"), "raised");
  EXPECT_THAT(detail("wrong shape", "call"), HasSubstr("[80, 32]"));
  EXPECT_EQ(reason("ends", "call"), "exited");
  EXPECT_EQ(reason("reaches out", "call"), "sandbox_violation");
  EXPECT_EQ(reason("no model", "build"), "missing_entry_point");
  EXPECT_EQ(reason("bad syntax", "build"), "compile_error");
  EXPECT_THAT(detail("bad syntax", "build"), HasSubstr("answer.py:9"));
}

}  // namespace
}  // namespace ridgeline::cli
