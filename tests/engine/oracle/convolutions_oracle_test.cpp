// Which convolutions runs in float64 take on a GPU: the decision, asked in the oracle's own interpreter of
// attempts that only pretend.
#include <gmock/gmock.h>

#include "tests/engine/oracle/oracle_bed.hpp"

namespace ridgeline::oracle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// `attempt` is Python that makes a run, with `cudnn` and `time` at hand; six are made, after `before`.
OracleResult<RunResult> run(const std::string& attempt, Shelf& shelf, const std::string& before = "") {
  const TaskText task{
      "inline/convolutions",
      "import time\nimport torch\nfrom ridgeline_oracle.convolutions import Convolutions\n\n\n"
      "def attempt():\n    cudnn = torch.backends.cudnn.enabled\n    " +
          attempt +
          "\n    return float(cudnn)\n\n\n"
          "class Model(torch.nn.Module):\n    def forward(self, x):\n"
          "        runs = Convolutions()\n" +
          before +
          "        return x * 0 + torch.tensor([runs.run(attempt) for _ in range(6)])\n\n\n"
          "def get_inputs():\n    return [torch.rand(6)]\n\n\n"
          "def get_init_inputs():\n    return []\n"};
  value_of(shared_oracle().load(task, {42}, {}, patience));
  value_of(shared_oracle().draw(1, {}, patience));
  shelf.add(6 * sizeof(float));
  return shared_oracle().run({.precision = Precision::float32, .seed = 5}, shelf.memory(), patience);
}

/// Returns for each of the six runs 1 if cuDNN made it, else 0.
std::vector<float> chosen(const std::string& attempt, const std::string& before = "") {
  Shelf shelf;
  value_of(run(attempt, shelf, before));
  return shelf.read<float>(0);
}

std::vector<float> chosen_after_a_failure(const std::string& attempt) {
  return chosen(attempt,
                "        try:\n            runs.run(attempt)\n        except torch.OutOfMemoryError:\n"
                "            pass\n");
}

TEST(OracleConvolutions, RunOnceByEachAlgorithmAndThenByTheFaster) {
  EXPECT_THAT(chosen("time.sleep(0.2 if cudnn else 0.001)"), ElementsAre(0, 1, 0, 0, 0, 0));
  EXPECT_THAT(chosen("time.sleep(0.001 if cudnn else 0.2)"), ElementsAre(0, 1, 0, 1, 1, 1));
}

TEST(OracleConvolutions, DoNotJudgeAnAlgorithmByTheFirstRunOfAll) {
  EXPECT_THAT(
      chosen("time.sleep(0.1 if cudnn else 0.001 if attempt.__dict__.setdefault('warm', False) else 0.3); "
             "attempt.warm = True"),
      ElementsAre(0, 1, 0, 0, 0, 0));
}

TEST(OracleConvolutions, UseTheOtherAlgorithmIfOneFails) {
  EXPECT_THAT(chosen("if not cudnn: raise torch.OutOfMemoryError('too large')"),
              ElementsAre(1, 1, 1, 1, 1, 1));
  EXPECT_THAT(chosen("if not cudnn: raise RuntimeError('no such shape')"), ElementsAre(1, 1, 1, 1, 1, 1));
  EXPECT_THAT(chosen("if cudnn: raise torch.OutOfMemoryError('too large')"), ElementsAre(0, 0, 0, 0, 0, 0));
}

TEST(OracleConvolutions, FailForMemoryOrLikeTheFirstIfBothFail) {
  const auto said = [](const std::string& own, const std::string& cudnns) {
    Shelf shelf;
    return failure_of(run("raise " + cudnns + " if cudnn else " + own, shelf));
  };
  const std::string memory = "torch.OutOfMemoryError('CUDA out of memory')";
  EXPECT_THAT(said("ValueError('one')", "ValueError('other')"), HasSubstr("one"));
  EXPECT_THAT(said(memory, "ValueError('other')"), HasSubstr("memory: "));
  EXPECT_THAT(said("ValueError('one')", memory), HasSubstr("memory: "));
}

TEST(OracleConvolutions, ForgetAShortageThatHasPassed) {
  // Both lack memory in the first run, which is caught; then only torch's own does.
  const std::string state = "seen = attempt.__dict__.setdefault('seen', []); seen.append(cudnn)\n    ";
  EXPECT_THAT(
      chosen_after_a_failure(state + "if len(seen) <= 2 or not cudnn: raise torch.OutOfMemoryError('full')"),
      ElementsAre(1, 1, 1, 1, 1, 1));
}

TEST(OracleConvolutions, AreNotTriedAgainForARefusedTask) {
  Shelf shelf;
  EXPECT_THAT(failure_of(run("from ridgeline_oracle.tensors import Unsupported\n    "
                             "raise Unsupported('refused by ' + ('cudnn' if cudnn else 'own'))",
                             shelf)),
              HasSubstr("refused by own"));
}

}  // namespace
}  // namespace ridgeline::oracle
