// Each module of tests/testcases/modules/honest, in the idioms that answers use, through the real judge and
// an interpreter in its real sandbox: it passes, and nothing about it is suspected.
#include <gtest/gtest.h>

#include <memory>

#include "engine/worker/languages/python_toolchain.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"
#include "tests/engine/worker/judge/module_judging.hpp"
#include "tests/engine/worker/judge/testcase.hpp"

namespace ridgeline::judge {
namespace {

/// One judge for all: what an answer does to its interpreter is the next one's affair in no way.
class HonestModules : public testing::TestWithParam<Testcase> {
 protected:
  static void SetUpTestSuite() {
    const auto python = std::get<languages::PythonToolchain>(languages::ask_python(RIDGELINE_PYTHON));
    judge_ = std::make_unique<JudgeProgram>("cpu:0", python_as_the_agent_says_it(python));
  }
  static void TearDownTestSuite() {
    EXPECT_EQ(judge_->quit(), 0);
    judge_.reset();
  }
  static std::unique_ptr<JudgeProgram> judge_;
};
std::unique_ptr<JudgeProgram> HonestModules::judge_;

TEST_P(HonestModules, PassAndAreNotSuspected) {
  const auto& module = GetParam();
  expect_verdict(module, judge_module(*judge_, module.task, module.candidate));
}

INSTANTIATE_TEST_SUITE_P(Oracle, HonestModules, testing::ValuesIn(testcases(Language::torch)),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace ridgeline::judge
