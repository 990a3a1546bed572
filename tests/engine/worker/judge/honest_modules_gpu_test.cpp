// Each module of tests/testcases/modules/honest through the real judge on a GPU: it passes there too, and
// nothing about it is suspected. Wants a Python whose torch was built for CUDA: RIDGELINE_PYTHON, else
// python3.
#include <gtest/gtest.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "engine/core/codec.hpp"
#include "engine/worker/languages/python_toolchain.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"
#include "tests/engine/worker/judge/module_judging.hpp"
#include "tests/engine/worker/judge/testcase.hpp"

namespace ridgeline::judge {
namespace {

std::vector<Testcase> honest_modules_for_cuda() {
  std::vector<Testcase> all;
  for (auto& module : testcases(Language::torch)) {
    if (!module.honest) continue;
    for (auto& one : module.task.cases) one.backend = "cuda";
    module.task.hash = hash_of(module.task);
    all.push_back(std::move(module));
  }
  return all;
}

/// One judge for all, as in a campaign. One that is lost fails the test at hand, and the others get a new
/// one.
class HonestModulesOnGpu : public testing::TestWithParam<Testcase> {
 protected:
  static void SetUpTestSuite() { start(); }
  static void TearDownTestSuite() {
    EXPECT_EQ(judge_->quit(), 0);
    judge_.reset();
  }
  static void start() {
    const auto python = std::get<languages::PythonToolchain>(languages::find_python());
    judge_ = std::make_unique<JudgeProgram>("cuda:0", python_as_the_agent_says_it(python));
  }
  static Verdict judged(const Testcase& module) try {
    return judge_module(*judge_, module.task, module.candidate);
  } catch (const std::exception&) {
    judge_->kill();
    start();
    throw;
  }
  static std::unique_ptr<JudgeProgram> judge_;
};
std::unique_ptr<JudgeProgram> HonestModulesOnGpu::judge_;

TEST_P(HonestModulesOnGpu, PassAndAreNotSuspected) {
  const auto& module = GetParam();
  const auto verdict = judged(module);
  std::printf("%s: %s, speed-up %.2f, %.1f s\n", module.name.c_str(), outcome_of(verdict).c_str(),
              verdict.speedup(), verdict.seconds);
  expect_verdict(module, verdict);
}

INSTANTIATE_TEST_SUITE_P(All, HonestModulesOnGpu, testing::ValuesIn(honest_modules_for_cuda()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace ridgeline::judge
