// Answers to KernelBench's files in bf16 and fp16, and with smaller shapes, by the program that ships.
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
const char* const task = "level2/10_normalised_layer";

/// All in float32, and one rounding at the end.
const std::string in_float32 =
    "        y = x.float() @ self.linear.weight.float().t() + self.linear.bias.float()\n"
    "        m, v = y.mean(0), y.var(0, unbiased=False)\n"
    "        y = (y - m) * torch.rsqrt(v + self.norm.eps)\n"
    "        return torch.relu(y * self.norm.weight.float() + self.norm.bias.float()).to(x.dtype)\n";

/// Operands that were rounded to three binary digits of the mantissa, as an 8-bit format has them.
const std::string in_eight_bits =
    "        def narrow(t):\n"
    "            m, e = torch.frexp(t.float())\n"
    "            return torch.ldexp(torch.round(m * 16) / 16, e).to(t.dtype)\n"
    "        return torch.relu(self.norm(torch.nn.functional.linear(narrow(x), narrow(self.linear.weight), "
    "self.linear.bias)))\n";

class Precisions : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Precisions, AreJudgedAgainstFloat64OfTheSameCastValues) {
  ::setenv("RIDGELINE_PYTHON", RIDGELINE_PYTHON, 1);
  const auto [word, dtype] = GetParam();
  Batch batch;
  const auto ask = [&](const char* id, const std::string& source) { batch.ask(id, task, "torch", source); };
  ask("eager", normalised_layer("        return torch.relu(self.norm(self.linear(x)))\n"));
  ask("float32", normalised_layer(in_float32));
  ask("off", normalised_layer("        return 1.05 * torch.relu(self.norm(self.linear(x)))\n"));
  ask("float32 result", normalised_layer("        return torch.relu(self.norm(self.linear(x))).float()\n"));
  ask("narrow", normalised_layer(in_eight_bits));
  batch.run({"--suite", "kernelbench:" + clone, "--precision", word});
  for (const char* id : {"eager", "float32"}) {
    EXPECT_EQ(batch.verdict(id).at("correct"), true) << id << batch.verdict(id).dump(1);
    EXPECT_EQ(batch.verdict(id).at("verdict").at("posed"), dtype);
    EXPECT_THAT(batch.verdict(id).at("verdict").at("timing").at("baseline"), HasSubstr(dtype));
  }
  // By KernelBench's rule eager is right; what is more exact may not be: eager rounds before the norm.
  EXPECT_EQ(batch.verdict("eager").at("verdict").at("faithful_correct"), true);
  EXPECT_EQ(batch.verdict("off").at("correct"), false);
  EXPECT_EQ(batch.reason("float32 result", "call"), "raised");
  EXPECT_THAT(batch.detail("float32 result", "call"), HasSubstr(std::string(dtype)));
  EXPECT_EQ(batch.verdict("narrow").at("correct"), false) << batch.verdict("narrow").dump(1);
}

INSTANTIATE_TEST_SUITE_P(Precisions, Precisions,
                         testing::Values(std::pair("bf16", "bfloat16"), std::pair("fp16", "float16")),
                         [](const auto& tested) { return std::string(tested.param.first); });

TEST(Posed, AKernelGetsSixteenBits) {
  ::setenv("RIDGELINE_PYTHON", RIDGELINE_PYTHON, 1);
  const auto shown = ridgeline(
      {"tasks", "show", task, "--stub", "cpp", "--suite", "kernelbench:" + clone, "--precision", "bf16"});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("kernel_level2_10_normalised_layer_bf16("));
  EXPECT_THAT(shown.out, Not(HasSubstr("const float*")));
}

TEST(Posed, MarksWhatIsListedAndChecked) {
  ::setenv("RIDGELINE_PYTHON", RIDGELINE_PYTHON, 1);
  const std::vector<std::string> suite{"--suite", "kernelbench:" + clone, "--levels", "1,2"};
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.end(), suite.begin(), suite.end());
    return ridgeline(words);
  };
  const auto checked =
      run({"tasks", "check", "1_statistics", "--precision", "fp16", "--scale", "1/2", "--json"});
  EXPECT_EQ(checked.status, 0) << checked.err;
  const auto document = json::parse(checked.out).at("tasks").at(0);
  EXPECT_EQ(document.at("precision"), "float16");
  EXPECT_EQ(document.at("scale"), "1/2 (rows 8 to 4)");
  EXPECT_EQ(document.at("bytes").at("inputs"), 128);
  EXPECT_THAT(run({"tasks", "list", "--scale", "1/2"}).out, HasSubstr("level1/1_statistics 1/2"));
  EXPECT_THAT(run({"tasks", "show", "1_statistics", "--scale", "1/2"}).out, HasSubstr("rows, width = 4, 16"));
  EXPECT_THAT(run({"tasks", "check", "1_statistics", "--precision", "fp8"}).err,
              HasSubstr("--precision: 'fp8' is none of fp32, fp16, bf16"));
}

TEST(Posed, OnlyASuiteThatHasThemTakesTheOptions) {
  const auto ran =
      ridgeline({"evaluate", "softmax", "/dev/null", "--language", "cpp", "--precision", "bf16"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("--precision: only a suite kernelbench:PATH has precision"));
}

TEST(Posed, AScaledTaskIsJudgedAndSaysSo) {
  ::setenv("RIDGELINE_PYTHON", RIDGELINE_PYTHON, 1);
  Batch batch;
  batch.ask("statistics", "level1/1_statistics", "torch",
            "import torch\nclass ModelNew(torch.nn.Module):\n    def __init__(self, width):\n"
            "        super().__init__()\n        self.affine = torch.nn.Linear(width, width)\n"
            "        self.normal = torch.nn.BatchNorm1d(width)\n    def forward(self, x):\n"
            "        assert x.shape == (4, 16)\n        before = self.normal.running_mean.clone()\n"
            "        return self.normal(self.affine(x)) + before\n");
  batch.run({"--suite", "kernelbench:" + clone, "--scale", "1/2"});
  EXPECT_EQ(batch.verdict("statistics").at("correct"), true) << batch.verdict("statistics").dump(1);
  EXPECT_EQ(batch.verdict("statistics").at("verdict").at("posed"), "scale 1/2 (rows 8 to 4)");
}

}  // namespace
}  // namespace ridgeline::cli
