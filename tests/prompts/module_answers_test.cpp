// A class in place of a kernel's function: the text behind it, and the reference shown as a class.
#include "prompts/module_answers.hpp"

#include <gtest/gtest.h>

#include "prompts/answer_reader.hpp"
#include "tests/prompts/fixtures.hpp"

namespace ridgeline::prompts {
namespace {

using testing::holds;

const std::string answered_class =
    "class ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return x\n";

Answer read_triton(const std::string& text, const Task& task) {
  return read_answer(text, Ask{}, Brief{.task = task, .language = Language::triton});
}

TEST(ModuleAnswers, GetTheFunctionThatTheTaskAsksFor) {
  const auto task = testing::softmax_task();
  const auto answer = read_triton("```python\nimport torch\n\n" + answered_class + "```", task);
  ASSERT_EQ(answer.status, AnswerStatus::kernel) << answer.detail;
  const auto& source = answer.candidate->source;
  EXPECT_TRUE(holds(source, answered_class)) << source;
  EXPECT_TRUE(holds(source, "def kernel_softmax(*given):")) << source;
  EXPECT_TRUE(holds(source, "_ridgeline_model(given[0])")) << source;
  EXPECT_TRUE(holds(source, "outputs = [(given[1], False)]")) << source;
}

TEST(ModuleAnswers, StayAsTheyAreWhereTheFunctionIsThere) {
  const auto task = testing::softmax_task();
  const std::string both =
      "import torch\n\n" + answered_class + "\n\ndef kernel_softmax(x, y, M, N):\n    y.copy_(x)\n";
  const auto answer = read_triton("```python\n" + both + "```", task);
  ASSERT_TRUE(answer.candidate);
  EXPECT_FALSE(holds(answer.candidate->source, "_ridgeline_model"));
}

TEST(ModuleAnswers, AnswerInPythonAlone) {
  const auto task = testing::softmax_task();
  EXPECT_TRUE(module_may_answer(task, Language::triton));
  EXPECT_FALSE(module_may_answer(task, Language::cpp));
  EXPECT_FALSE(module_may_answer(task, Language::cuda));
}

TEST(KernelBenchFileText, ShowsTheReferenceAsAClass) {
  const auto text = kernelbench_file_text(testing::softmax_task());
  for (const auto* part :
       {"def reference(x", "class Model(nn.Module):\n    def forward(self, x):\n", "return reference(x)\n",
        "def get_inputs():\n    return [torch.randn(1024, 1024, dtype=torch.float32)]",
        "def get_init_inputs():\n    return []\n"})
    EXPECT_TRUE(holds(text, part)) << part << "\n" << text;
}

TEST(KernelBenchFileText, DrawsTheChoiceBeforeTheReferenceTakesIt) {
  Task task = testing::softmax_task();
  task.sizes = {"N"};
  task.parameters = {
      Tensor{.name = "x", .shape = {Expression::parse("N")}},
      Tensor{.name = "mask", .dtype = DType::boolean, .role = Role::out, .shape = {Expression::parse("N")}},
      Tensor{.name = "y", .role = Role::out, .shape = {Expression::parse("N")}},
      Scalar{.name = "p", .value = Expression::parse("0.25")}};
  task.reference = "def reference(x, mask, p: float):\n    return torch.where(mask, x, p)\n";
  task.choice = Choice{.outputs = {"mask"}, .choose = "def choose(x, p: float):\n    return x > p\n"};
  const auto text = kernelbench_file_text(task);
  EXPECT_TRUE(holds(text,
                    "def forward(self, x, p):\n        mask = choose(x, p)\n"
                    "        y = reference(x, mask, p)\n        return mask, y\n"))
      << text;
  EXPECT_TRUE(holds(text, ", 0.25]")) << text;
  EXPECT_TRUE(holds(with_kernel_of_module("", task), "_ridgeline_model(given[0], given[4])"))
      << "three tensors and a size stand before the scalar";
}

}  // namespace
}  // namespace ridgeline::prompts
