// Cases so large that nothing is kept beside what is at hand: here small ones, of a backend that says they
// are.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "engine/worker/judge/baseline.hpp"
#include "engine/worker/judge/host_backend.hpp"
#include "engine/worker/judge/judge.hpp"
#include "engine/worker/languages/python_toolchain.hpp"
#include "engine/worker/protocol/torch_job.hpp"

namespace ridgeline::judge {
namespace {

class LeanHost final : public HostBackend {
 public:
  using HostBackend::HostBackend;
  bool lean(const Task&, const Case&) const override { return true; }
  void give_back_memory() override { ++given_back; }
  static inline int given_back = 0;
};

const char* const model = R"(
import torch
class Model(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = torch.nn.Linear(width, width)
    def forward(self, x):
        return self.linear(x)
def get_inputs():
    return [torch.rand(64, 30)]
def get_init_inputs():
    return [30]
)";

Task linear_task() {
  const auto tensor = [](const char* name, Role role, std::vector<const char*> shape, Draw draw,
                         const char* state = "") {
    Tensor made;
    made.name = name;
    made.role = role;
    for (const auto* extent : shape) made.shape.push_back(Expression::parse(extent));
    made.input = {draw, Expression::parse("0"), Expression::parse("1"), draw != Draw::reference};
    made.state = state;
    return made;
  };
  Task task;
  task.name = "linear";
  task.reference = model;
  task.module = Module{"level1/1_linear", "[30]", "{}", true};
  task.parameters = {tensor("x", Role::in, {"64", "30"}, Draw::uniform),
                     tensor("weight", Role::in, {"30", "30"}, Draw::reference, "linear.weight"),
                     tensor("bias", Role::in, {"30"}, Draw::reference, "linear.bias"),
                     tensor("y", Role::out, {"64", "30"}, Draw::normal)};
  task.cases = {Case{"published", {}, true, false, false, "cpu"}};
  Elementwise contract;
  contract.reduction = Expression::parse("30");
  task.contract = contract;
  task.bytes = task.operations = Expression::parse("1000");
  task.hash = hash_of(task);
  return task;
}

class OracleJudgesLean : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto found = std::get<PythonToolchain>(ask_python(RIDGELINE_PYTHON));
    const PythonProgram python{.program = found.program,
                               .library = RIDGELINE_BIN_DIR "/libridgeline-python-runner.so",
                               .folders = {found.folders.begin(), found.folders.end()},
                               .torch_version = found.torch_version};
    const JudgeOptions options{.runner = RIDGELINE_BIN_DIR "/ridgeline-runner",
                               .scratch = std::filesystem::temp_directory_path(),
                               .python = python};
    judge_ = std::make_unique<Judge>(options, std::make_unique<LeanHost>(python));
  }
  static void TearDownTestSuite() { judge_.reset(); }

  static Verdict judged(const std::string& forward) {
    auto source =
        std::string(model) + "class ModelNew(Model):\n    calls = 0\n    def forward(self, x):\n" + forward;
    const auto job =
        std::filesystem::temp_directory_path() / ("lean-" + std::to_string(::getpid()) + ".json");
    std::ofstream(job) << to_json(torch_job(linear_task(), "ModelNew", source, "answer.py"));
    auto verdict = judge_->judge(
        {"1", linear_task(), job.string(), make_candidate(Language::torch, source), {.isolation = "none"}});
    std::filesystem::remove(job);
    return verdict;
  }

  static std::unique_ptr<Judge> judge_;
};
std::unique_ptr<Judge> OracleJudgesLean::judge_;

TEST_F(OracleJudgesLean, RightAnswersAreCheckedAndTimed) {
  const int before = LeanHost::given_back;
  for (int turn = 0; turn < 2; ++turn) {  // nothing is left over for the second
    const auto verdict = judged("        return torch.addmm(self.linear.bias, x, self.linear.weight.t())\n");
    EXPECT_EQ(verdict.at(Stage::correctness).status, Status::passed)
        << verdict.at(Stage::call).detail << verdict.at(Stage::correctness).detail;
    EXPECT_EQ(verdict.at(Stage::timing).status, Status::passed) << verdict.at(Stage::timing).detail;
    ASSERT_TRUE(verdict.timing);
    EXPECT_GT(verdict.timing->cases.at(0).slots_verified, 0);
    EXPECT_EQ(verdict.errors.size(), 3u);
  }
  EXPECT_GT(LeanHost::given_back, before);
}

TEST_F(OracleJudgesLean, WrongAnswersAreTold) {
  const auto wrong = judged("        return self.linear(x) * 1.01\n");
  EXPECT_EQ(wrong.at(Stage::correctness).reason, Reason::wrong_values);
  const auto lazy = judged(
      "        ModelNew.calls += 1\n        y = self.linear(x)\n"
      "        return y if ModelNew.calls < 20 else torch.zeros_like(y)\n");
  EXPECT_EQ(lazy.at(Stage::timing).reason, Reason::wrong_when_timed) << lazy.at(Stage::timing).detail;
}

TEST(OracleBaseline, WithoutItsRunnerItIsNotTheOraclesOwnTime) {
  const auto found = std::get<PythonToolchain>(ask_python(RIDGELINE_PYTHON));
  HostBackend backend(PythonProgram{.program = found.program,
                                    .library = RIDGELINE_BIN_DIR "/libridgeline-python-runner.so",
                                    .folders = {found.folders.begin(), found.folders.end()},
                                    .torch_version = found.torch_version});
  PreparedTask prepared(linear_task(), 7, backend);
  auto& one = *prepared.cases().front();
  one.timing_arena = backend.make_arena(prepared.task(), one.definition(), 9);
  const auto look = [&] {
    return keep_baseline(prepared, one, backend.sampling(0.06), true, BusyHostSlows::both);
  };
  EXPECT_EQ(look(), 1);
  EXPECT_FALSE(one.baseline) << "none was measured, and the stage says so";
  one.baseline = Duration{.median = 1e-9};  // any other figure would have drifted
  EXPECT_EQ(look(), 1);
  EXPECT_EQ(one.baseline->median, 1e-9);
}

TEST_F(OracleJudgesLean, AnAnswerThatEndsItsProcessIsTold) {
  const auto ended = judged("        import os\n        os._exit(3)\n");
  EXPECT_EQ(ended.at(Stage::call).reason, Reason::exited) << ended.at(Stage::call).detail;
}

}  // namespace
}  // namespace ridgeline::judge
