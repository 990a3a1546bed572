// Tests which calls of a KernelBench-X test the oracle takes into a module, and what that module computes.
#include <gmock/gmock.h>

#include "tests/engine/oracle/oracle_bed.hpp"

namespace ridgeline::oracle {
namespace {

using testing::ElementsAre;
using testing::Eq;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A reference whose function `f` has this body, and a test that makes these calls.
TestedText tested(const std::string& signature, const std::string& body, const std::string& calls) {
  return {"Inline/f",
          "import torch\n\n\ndef f(" + signature + "):\n    " + body + "\n",
          "\n\nimport torch\nfrom extra import positive\n\n\ndef test_f():\n    r = {}\n    " + calls +
              "\n    return r\n\ntest_results = test_f()\n",
          "f",
          {{"extra",
            "import torch\n\n\ndef positive(*shape):\n"
            "    return torch.rand(*shape, device='cuda').abs() + 0.5\n"}}};
}

OracleProcess& the_oracle() {
  static OracleProcess process(test_settings(RIDGELINE_PYTHON));
  return process;
}

Harvest harvested(const TestedText& text) {
  auto answer = the_oracle().harvest(text, patience);
  if (const auto* failure = std::get_if<OracleFailure>(&answer)) {
    ADD_FAILURE() << failure->message;
    return {};
  }
  return std::get<Harvest>(answer);
}

/// The only call's fault, or "" if it is judged.
std::string fault_of(const std::string& signature, const std::string& body, const std::string& call) {
  const auto found = harvested(tested(signature, body, "r[1] = " + call));
  if (found.unjudged.empty()) return "";
  return std::string(to_string(found.unjudged.at(0).fault));
}

Description described_module(const Harvest& found) {
  auto answer = the_oracle().describe({"Inline/f", found.text}, patience);
  if (const auto* failure = std::get_if<OracleFailure>(&answer)) {
    ADD_FAILURE() << failure->message << "\n" << found.text;
    return {};
  }
  return std::get<Description>(answer);
}

const std::string kDrawn = "torch.randn(4, 6, device='cuda')";

TEST(OracleHarvests, MakesOneModuleOfAllCasesOfATest) {
  const auto found =
      harvested(tested("x, weight=None, *, scale=3.0", "return x * scale if weight is None else x @ weight",
                       "a = " + kDrawn + "\n    r[1] = f(a)\n    r[2] = f(a, scale=2.0)\n" + "    r[3] = f(" +
                           kDrawn + ")\n    r[4] = f(a, torch.ones(6, 3))"));
  EXPECT_EQ(found.calls, 4);
  EXPECT_THAT(found.chosen, ElementsAre(1, 2, 4)) << "the third differs from the first in values alone";
  EXPECT_THAT(found.unjudged, IsEmpty());
  const auto module = described_module(found);
  const auto inputs = tensors_of(module.inputs);
  ASSERT_EQ(inputs.size(), 2U) << "a tensor that several calls take is one input";
  EXPECT_TRUE(std::holds_alternative<Normal>(inputs[0].provenance)) << "the judge draws it";
  EXPECT_TRUE(std::holds_alternative<Constant>(inputs[1].provenance));
  ASSERT_EQ(module.outputs.size(), 3U);
  EXPECT_THAT(module.outputs[2].shape, ElementsAre(4, 3));
  EXPECT_EQ(found.fixed_inputs, 1);
}

TEST(OracleHarvests, LeavesOutWhatCannotBeJudgedAndSaysWhy) {
  const auto fault = [](const std::string& body, const std::string& call) {
    return fault_of("x, *rest, **named", body, call);
  };
  EXPECT_EQ(fault("return x * 2", "f(torch.ones(3))"), "fixed");
  EXPECT_EQ(fault("return x * 0", "f(" + kDrawn + ")"), "same_result");
  EXPECT_EQ(fault("return x.clone()", "f(" + kDrawn + ")"), "input_copy");
  EXPECT_EQ(fault("return x[x > 0]", "f(" + kDrawn + ")"), "shape_varies");
  EXPECT_EQ(fault("return x.log()", "f(" + kDrawn + ")"), "not_finite");
  EXPECT_EQ(fault("return x + torch.rand(6)", "f(" + kDrawn + ")"), "random");
  EXPECT_EQ(fault("return torch.linalg.svd(x)", "f(" + kDrawn + ")"), "not_unique");
  EXPECT_EQ(fault("return torch.linalg.qr(x)[1]", "f(" + kDrawn + ")"), "not_unique");
  EXPECT_EQ(fault("return x @ torch.ones(6, dtype=x.dtype if x.dtype == torch.float32 else torch.int64)",
                  "f(" + kDrawn + ")"),
            "float64");
  EXPECT_EQ(fault("return x * 2", "f(" + kDrawn + ", object())"), "argument");
  EXPECT_EQ(fault("return 'text'", "f(" + kDrawn + ")"), "result");
  EXPECT_EQ(fault("return x * 2", "f(" + kDrawn + ")"), "");
}

TEST(OracleHarvests, KeepsWhatNoChoiceOfFactorsChanges) {
  EXPECT_EQ(fault_of("x", "return torch.linalg.svdvals(x)", "f(" + kDrawn + ")"), "");
  EXPECT_EQ(fault_of("x", "u, s, v = torch.linalg.svd(x, full_matrices=False)\n    return u @ v",
                     "f(" + kDrawn + ")"),
            "");
}

TEST(OracleHarvests, SurvivesACallThatIsExpectedToRaise) {
  const auto found = harvested(tested(
      "x", "if x.dim() == 1: raise ValueError('no matrix')\n    return x * 2",
      "try:\n        f(torch.randn(3))\n    except ValueError as error:\n        r[1] = str(error)\n    "
      "r[2] = f(" +
          kDrawn + ")"));
  EXPECT_THAT(found.chosen, ElementsAre(2));
  ASSERT_EQ(found.unjudged.size(), 1U);
  EXPECT_EQ(found.unjudged[0].fault, CallFault::raises);
  EXPECT_THAT(found.unjudged[0].words, HasSubstr("no matrix"));
}

TEST(OracleHarvests, DrawsByTheTestsOwnCodeWhatIsMadeOfDraws) {
  const auto found = harvested(tested("x", "return x.log()", "r[1] = f(positive(5, 7))"));
  EXPECT_THAT(found.chosen, ElementsAre(1));
  EXPECT_EQ(found.replayed_inputs, 1);
  EXPECT_THAT(found.within, ElementsAre(true)) << "outliers have no logarithm";
  const auto inputs = tensors_of(described_module(found).inputs);
  ASSERT_EQ(inputs.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<Opaque>(inputs[0].provenance));
}

TEST(OracleHarvests, ReplaysATestThatLooksAtResults) {
  const auto found =
      harvested(tested("x", "return x * 2", "a = f(" + kDrawn + ")\n    r[1] = f(a.abs() + 1)"));
  EXPECT_THAT(found.chosen, ElementsAre(1)) << "both take the same shapes";
  const auto other =
      harvested(tested("x, y=1", "return x * 2 * y", "a = f(" + kDrawn + ")\n    r[1] = f(a.abs() + 1, 2)"));
  EXPECT_THAT(other.chosen, ElementsAre(1, 2));
  described_module(other);
}

TEST(OracleHarvests, GivesCopiesOfWhatIsWrittenIntoAndReturnsThem) {
  const auto found =
      harvested(tested("x, y", "x.add_(y)\n    return y * 2", "r[1] = f(" + kDrawn + ", torch.randn(6))"));
  EXPECT_THAT(found.adapter, HasSubstr(".clone()"));
  EXPECT_EQ(described_module(found).outputs.size(), 2U) << "what is written and what is returned";
  const auto returned =
      harvested(tested("x, y", "return x.add_(y)", "r[1] = f(" + kDrawn + ", torch.randn(6))"));
  EXPECT_EQ(described_module(returned).outputs.size(), 1U);
}

TEST(OracleHarvests, SeesWhatIsWrittenPastTorchsVersionCounters) {
  const auto found = harvested(
      tested("x, mean, variance, training=True",
             "return torch.nn.functional.batch_norm(x, mean, variance, training=training)",
             "a, m, v = " + kDrawn +
                 ", torch.zeros(6), torch.ones(6)\n    r[1] = f(a, m, v)\n    r[2] = f(a, m, v, False)"));
  EXPECT_THAT(found.chosen, ElementsAre(1, 2));
  const auto module = described_module(found);
  EXPECT_EQ(module.outputs.size(), 4U) << "two results, and both statistics that the first call moves";
  EXPECT_EQ(tensors_of(module.inputs).size(), 5U) << "the second call takes other statistics than the first";
}

TEST(OracleHarvests, LeavesAwayWhereToPutTheResult) {
  const auto found =
      harvested(tested("x, *, out=None", "y = x * 2\n    return y if out is None else out.copy_(y)",
                       "r[1] = f(" + kDrawn + ", out=torch.empty(4, 6))"));
  EXPECT_THAT(found.chosen, ElementsAre(1));
  EXPECT_THAT(found.adapter, Not(HasSubstr("out=")));
}

TEST(OracleHarvests, RunsWhatNamesAPrecisionInDoublePrecision) {
  EXPECT_EQ(fault_of("x", "return x.float().softmax(-1, dtype=torch.float32)", "f(" + kDrawn + ")"), "");
}

TEST(OracleHarvests, AdapterTellsNothingOfValues) {
  const auto found = harvested(tested("x", "return x * 2", "r[1] = f(" + kDrawn + " + 3)"));
  EXPECT_THAT(found.text, HasSubstr(found.adapter));
  EXPECT_THAT(found.text, HasSubstr("+ 3"));
  EXPECT_THAT(found.adapter, Not(HasSubstr("randn")));
}

TEST(OracleHarvests, SaysWhatATestRaises) {
  const auto raised = the_oracle().harvest(tested("x", "return x", "r[1] = no_such_name"), patience);
  ASSERT_TRUE(std::holds_alternative<OracleFailure>(raised));
  EXPECT_THAT(std::get<OracleFailure>(raised).message, HasSubstr("no_such_name"));
  auto nameless = tested("x", "return x", "r[1] = 1");
  nameless.entry = "g";
  const auto missing = the_oracle().harvest(nameless, patience);
  ASSERT_TRUE(std::holds_alternative<OracleFailure>(missing));
  EXPECT_THAT(std::get<OracleFailure>(missing).message, HasSubstr("defines no g that can be called"));
}

}  // namespace
}  // namespace ridgeline::oracle
