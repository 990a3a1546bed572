#include "prompts/renderer.hpp"

#include <gtest/gtest.h>

#include "engine/core/error.hpp"
#include "prompts/task_text.hpp"
#include "tests/prompts/fixtures.hpp"

namespace ridgeline::prompts {
namespace {

using testing::correct_verdict;
using testing::evaluated;
using testing::failing_at;
using testing::holds;
using testing::kernel_source;

class Render : public ::testing::Test {
 protected:
  RenderedPrompt render(const Ask& ask, const KnowledgeIndex* knowledge = nullptr) const {
    return prompts::render(templates, ask, Brief{task}, testing::machine(), knowledge);
  }
  static Ask ask_for(const std::string& role) {
    Ask ask;
    ask.role = role;
    return ask;
  }

  Templates templates = Templates::built_in();
  Task task = testing::softmax_task();
};

TEST_F(Render, AFirstAttemptHoldsAllThatIsNeeded) {
  const auto prompt = render(ask_for("iterative/generate"));
  EXPECT_TRUE(holds(prompt.system, "C++ kernels"));
  for (const auto* part :
       {"Softmax along the last axis.", "Formula: y[i, j] = exp", "torch.softmax(x, -1)",
        "extern \"C\" void kernel_softmax(", "const float* x,  // in [M, N]",
        "normal, mean 0, standard deviation 1", "- `square` (M = 1024, N = 1024), timed",
        "- `ragged` (M = 37, N = 129)", "cases that you do not see", "the length of the reduction (N)",
        "g++ 12.2 -O3 -march=native", "one thread of a test CPU",
        "extern \"C\" size_t kernel_softmax_workspace(int64_t M, int64_t N)", "void* workspace, void* stream",
        "begins with ```cpp"})
    EXPECT_TRUE(holds(prompt.user, part)) << part << "\n" << prompt.user;
}

/// A provider can cache the stable part from one round to the next.
TEST_F(Render, TheRoundsOfATrajectoryBeginWithTheSameStablePart) {
  const auto stable = [](const RenderedPrompt& prompt) { return prompt.user.substr(0, prompt.stable_bytes); };
  auto first = ask_for("iterative/generate"), later = ask_for("iterative/refine");
  first.examples = later.examples = Examples::one;
  first.hardware = later.hardware = true;
  const auto about = evaluated(kernel_source("  // mark"), correct_verdict());
  later.feedback = {{"", 800, SourceFeedback{about}}, {"", 800, TimeFeedback{about}}};
  const auto kept = stable(render(first));
  EXPECT_EQ(stable(render(later)), kept);
  EXPECT_EQ(render(first).system, render(later).system);
  for (const auto* part : {"## An example", "Softmax along the last axis.", "## Rules", "## The machine"})
    EXPECT_TRUE(holds(kept, part)) << part;
  for (const auto* part : {"// mark", "## How fast it is", "## Your answer"}) EXPECT_FALSE(holds(kept, part));
}

TEST_F(Render, NoFeedbackIsInTheStablePartOfAnyRole) {
  const KnowledgeIndex index(Language::cpp, {{"softmax.cpp", "void softmax();"}});
  const auto about = evaluated(kernel_source("  // mark"), correct_verdict());
  for (const auto& role : templates.names()) {
    if (!templates.at(role).is_prompt()) continue;
    auto ask = ask_for(role);
    const auto plain = render(ask, &index);
    ask.change = about;
    ask.feedback = {{"", 800, SourceFeedback{about}},    {"", 800, ErrorFeedback{about}},
                    {"", 800, HistoryFeedback{{about}}}, {"", 800, AncestorsFeedback{{about}, {"fine"}}},
                    {"", 800, ReflectionFeedback{"hm"}}, {"", 800, AnswerFeedback{"no code"}},
                    {"", 800, KnowledgeFeedback{about}}};
    const auto full = render(ask, &index);
    ASSERT_EQ(full.stable_bytes, plain.stable_bytes) << role;
    EXPECT_GT(full.stable_bytes, 1000u) << role;
    EXPECT_EQ(full.user.substr(0, full.stable_bytes), plain.user.substr(0, plain.stable_bytes)) << role;
  }
}

/// Every role with every kind of feedback about a kernel that failed in, and was timed on, an unseen case.
TEST_F(Render, NoPromptHoldsASecretOrABrace) {
  const KnowledgeIndex index(Language::cpp, {{"softmax.cpp", "void softmax();"}});
  auto crashed = failing_at(Stage::call, Reason::crashed, "secretcase (N = 77777) crashed");
  crashed.call_failure = CallFailure{
      "secretcase", true, InputSet::standard, 11, "SIGSEGV", "line 1 of 31337", "77777 behind", "41414"};
  for (const auto& verdict : {crashed, correct_verdict()}) {
    const auto about = evaluated(kernel_source(), verdict);
    for (const auto& role : templates.names()) {
      if (!templates.at(role).is_prompt()) continue;
      auto ask = ask_for(role);
      ask.change = about;
      ask.feedback = {{"", 800, SourceFeedback{about}},    {"", 800, ErrorFeedback{about}},
                      {"", 800, TimeFeedback{about}},      {"", 800, RooflineFeedback{about}},
                      {"", 800, HistoryFeedback{{about}}}, {"", 800, AncestorsFeedback{{about}, {"fine"}}},
                      {"", 800, ReflectionFeedback{"hm"}}, {"", 800, AnswerFeedback{"no code"}},
                      {"", 800, KnowledgeFeedback{about}}};
      const auto prompt = render(ask, &index);
      for (const auto& secret : testing::secrets())
        EXPECT_FALSE(holds(prompt.user, secret)) << role << " " << secret;
      EXPECT_FALSE(holds(prompt.system + prompt.user, "{{")) << role;
      EXPECT_FALSE(holds(prompt.user, "\n\n\n")) << role;
      EXPECT_FALSE(prompt.system.empty()) << role;
    }
  }
}

TEST_F(Render, FeedbackStandsUnderItsHeadingAndAbsentKindsLeaveNoTrace) {
  const auto about = evaluated(kernel_source("  // mark"), correct_verdict());
  auto ask = ask_for("iterative/refine");
  ask.feedback = {{"", 800, SourceFeedback{about}}, {"", 800, TimeFeedback{about}}};
  const auto text = render(ask).user;
  EXPECT_LT(text.find("## The kernel"), text.find("  // mark"));
  EXPECT_LT(text.find("## How fast it is"), text.find("Speed-up 2.00x"));
  for (const auto* absent : {"What went wrong", "roofline", "Attempts before", "last answer"})
    EXPECT_FALSE(holds(text, absent)) << absent;
}

TEST_F(Render, KnowledgeStandsBeforeTheKernelAndIsMissingWhereTheAskHasNone) {
  const KnowledgeIndex index(Language::cpp, {{"rows.cpp", "// the one of kernel_softmax\n"}});
  const auto about = evaluated(kernel_source(), failing_at(Stage::build, Reason::compile_error));
  auto ask = ask_for("geak/debug");
  ask.feedback = {{"", 800, SourceFeedback{about}}};
  const auto without = render(ask, &index).user;
  EXPECT_EQ(without, render(ask).user);
  ask.feedback.push_back({"", 800, KnowledgeFeedback{about}});
  const auto text = render(ask, &index).user;
  const auto at = text.find("## A kernel to learn from\n\n`rows.cpp`");
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_LT(at, text.find("## The kernel"));
  auto rest = text;
  rest.erase(at, text.find("## The kernel") - at);
  EXPECT_EQ(rest, without) << "nothing else changes";
  EXPECT_THROW(render(ask), BadInput) << "a corpus is wanted and there is none";
}

TEST_F(Render, SaysInWhichPrecisionAndScaleAModuleIsPosed) {
  task.module = Module{"level1/1_x", "[]", "{}", true};
  task.reference = "class Model(torch.nn.Module): pass\n";
  const auto asked = [&](Language language) {
    const Brief brief{task, language};
    return prompts::render(templates, ask_for("iterative/generate"), brief, testing::machine()).user;
  };
  EXPECT_FALSE(holds(asked(Language::torch), "All of it is run in"));
  task.module->cast_to = DType::bfloat16;
  task.module->scale = "1/4 (batch_size 128 to 32)";
  EXPECT_TRUE(holds(asked(Language::torch), "are moved by `.to(torch.bfloat16)`"));
  EXPECT_TRUE(holds(asked(Language::torch), "were made smaller, scale 1/4 (batch_size 128 to 32)."));
  EXPECT_TRUE(holds(asked(Language::cpp), "All of it is run in bfloat16"));
}

TEST_F(Render, AModuleIsAskedForInItsOwnWordsWhateverTheStrategy) {
  task.module = Module{"level1/1_x", "[]", "{}", true};
  task.reference = "class Model(torch.nn.Module): pass  # the file\n";
  for (const auto* role : {"single_shot/generate", "best_of_n/generate", "iterative/generate",
                           "iterative/refine", "geak/optimize"}) {
    const auto prompt =
        prompts::render(templates, ask_for(role), Brief{task, Language::torch}, testing::machine());
    for (const auto* part : {"# the file", "class `ModelNew`", "`ModelNew` must be defined", "```python"})
      EXPECT_TRUE(holds(prompt.user, part)) << role << " " << part << "\n" << prompt.user;
    for (const auto* absent : {"kernel_softmax", "TorchScript", "## An example", "## The machine"})
      EXPECT_FALSE(holds(prompt.user, absent)) << role << " " << absent;
  }
  const auto native = render(ask_for("iterative/generate")).user;
  EXPECT_TRUE(holds(native, "# the file"));
  EXPECT_TRUE(holds(native, "the module's weights and other state"));
  EXPECT_TRUE(holds(native, "extern \"C\" void kernel_softmax("));
  EXPECT_FALSE(holds(native, "TorchScript"));
}

TEST_F(Render, AFunctionIsAskedForByItsNameWithTheCallsThatAreMadeOfIt) {
  task.module = Module{"Math/twice", "[]", "{}", true};
  task.module->function = "twice";
  task.module->adapter =
      "import torch\n\n\ndef _ridgeline_flat(value):\n    return value\n\n\nclass Model(torch.nn.Module):\n"
      "    def forward(self, x):\n        return _ridgeline_flat(_ridgeline_entry(x, scale=2))\n";
  task.reference = "def twice(x, scale):\n    return x * scale  # the file\n\n\n_ridgeline_entry = twice\n" +
                   task.module->adapter + "\n\ndef get_inputs():\n    return secret_draws()\n";
  for (const auto* role : {"single_shot/generate", "iterative/refine", "geak/optimize"})
    for (const auto language : {Language::torch, Language::triton}) {
      auto ask = ask_for(role);
      ask.examples = Examples::few;
      const auto prompt = prompts::render(templates, ask, Brief{task, language}, testing::machine());
      for (const auto* part : {"# the file", "function `twice`", "`twice` must be defined",
                               "_ridgeline_entry(x, scale=2)", "# x: float32 [M, N]"})
        EXPECT_TRUE(holds(prompt.user, part)) << role << " " << part << "\n" << prompt.user;
      for (const auto* absent : {"ModelNew", "secret_draws", "state_dict", "kernel_softmax", "`forward`"})
        EXPECT_FALSE(holds(prompt.user, absent)) << role << " " << absent << "\n" << prompt.user;
      if (std::string_view(role) != "geak/optimize") {  // which has no words of its own for modules either
        EXPECT_TRUE(holds(prompt.system, "PyTorch functions")) << role;
      }
    }
  const auto native = render(ask_for("iterative/generate")).user;
  EXPECT_TRUE(holds(native, "class Model(torch.nn.Module)")) << "a kernel takes the arguments of forward";
  EXPECT_FALSE(holds(native, "secret_draws"));
}

TEST_F(Render, AModuleOnAGpuIsAskedForKernels) {
  task.module = Module{"level1/1_x", "[]", "{}", true};
  auto ask = ask_for("iterative/generate");
  ask.examples = Examples::few;
  const auto asked = [&](Language language, const std::string& backend) {
    auto machine = testing::machine();
    machine.backend = backend;
    return prompts::render(templates, ask, Brief{task, language}, machine).user;
  };
  const auto inline_cuda = asked(Language::torch, "cuda"), triton = asked(Language::triton, "cuda");
  EXPECT_TRUE(holds(asked(Language::torch, "cpu"), "It runs on a CPU."));
  for (const auto* text : {&inline_cuda, &triton}) {
    EXPECT_FALSE(holds(*text, "on a CPU.")) << *text;
    EXPECT_TRUE(holds(*text, "keep `state_dict` as the reference has it")) << *text;
    EXPECT_TRUE(holds(*text, "class `ModelNew`")) << *text;
  }
  EXPECT_TRUE(holds(inline_cuda, "cuda_sources=cuda"));
  EXPECT_FALSE(holds(inline_cuda, "triton"));
  EXPECT_TRUE(holds(triton, "Kernels are compiled beforehand"));
  EXPECT_TRUE(holds(asked(Language::triton, "cpu"), "interpreter executes the kernels"));
  EXPECT_TRUE(holds(triton, "@triton.jit"));
  EXPECT_FALSE(holds(triton, "load_inline"));
}

TEST_F(Render, TritonIsAskedForAFunctionWhereTheTaskIsNative) {
  auto ask = ask_for("iterative/generate");
  ask.examples = Examples::few;
  const auto asked = [&](const char* backend) {
    auto machine = testing::machine();
    machine.backend = backend;
    return prompts::render(templates, ask, Brief{task, Language::triton}, machine).user;
  };
  const auto gpu = asked("cuda"), cpu = asked("cpu");
  for (const auto* text : {&gpu, &cpu}) {
    for (const auto* part :
         {"def kernel_softmax(\n    x,  # in, float32 [M, N]\n    y,  # out, float32 [M, N]\n",
          "`kernel_softmax` must be defined", "```python",
          "def kernel_row_maximum(x, y, M, N):", "def kernel_total(x, y, N):", "TorchScript"})
      EXPECT_TRUE(holds(*text, part)) << part << "\n" << *text;
    for (const auto* absent : {"ModelNew", "state_dict", "extern \"C\""})
      EXPECT_FALSE(holds(*text, absent)) << absent;
  }
  EXPECT_TRUE(holds(gpu, "Kernels are compiled beforehand"));
  EXPECT_TRUE(holds(cpu, "interpreter executes the kernels"));
}

TEST_F(Render, ExamplesAndTheMachineStandThereWhereTheAskWantsThem) {
  for (const auto language : {Language::cpp, Language::torch, Language::triton})
    for (const auto* role : {"single_shot/generate", "best_of_n/generate", "iterative/generate",
                             "iterative/refine", "iterative/refine_diff"}) {
      const Brief brief{task, language};
      auto ask = ask_for(role);
      const auto bare = prompts::render(templates, ask, brief, testing::machine()).user;
      ask.examples = Examples::one;
      ask.hardware = true;
      const auto one = prompts::render(templates, ask, brief, testing::machine()).user;
      ask.examples = Examples::few;
      const auto few = prompts::render(templates, ask, brief, testing::machine()).user;
      EXPECT_FALSE(holds(bare, "## An example")) << role;
      EXPECT_TRUE(holds(one, "## An example")) << role;
      EXPECT_FALSE(holds(one, "A second task")) << role;
      EXPECT_TRUE(holds(few, "A second task")) << role;
      const auto machine = one.find("## The machine\n\nIt runs on one thread of a test CPU");
      ASSERT_NE(machine, std::string::npos) << role;
      EXPECT_LT(one.find("## An example"), one.find("## Task"));
      EXPECT_LT(one.find("## Rules"), machine);
      EXPECT_FALSE(holds(few, "\n\n\n\n")) << role;
    }
}

TEST_F(Render, WeightsAreNoInputs) {
  task.parameters.push_back(Tensor{"weight", DType::float32, Role::in, {}, {}, "", "conv.weight"});
  EXPECT_FALSE(holds(inputs_text(task), "`weight`"));
  EXPECT_TRUE(holds(inputs_text(task), "`x`"));
}

TEST_F(Render, ASourceThatHoldsFencesIsFencedLonger) {
  const auto about = evaluated("// ```\nint x;\n", Verdict{});
  auto ask = ask_for("iterative/refine");
  ask.feedback = {{"", 800, SourceFeedback{about}}};
  EXPECT_TRUE(holds(render(ask).user, "````cpp\n// ```\nint x;\n````"));
}

TEST_F(Render, KeepsTheBudgetOfEachItem) {
  const auto about = evaluated(std::string(100000, 'x'), Verdict{});
  auto ask = ask_for("geak/debug");
  ask.feedback = {{"", 100, SourceFeedback{about}}, {"", 50, ReflectionFeedback{std::string(100000, 'y')}}};
  const auto bare = render(ask_for("geak/debug")).user.size();
  EXPECT_LT(render(ask).user.size(), bare + 4 * 150 + 100);
}

TEST_F(Render, EditsAreAskedForWhereTheRoleSaysSo) {
  auto ask = ask_for("iterative/refine_diff");
  ask.feedback = {{"", 800, SourceFeedback{evaluated(kernel_source(), Verdict{})}}};
  EXPECT_TRUE(holds(render(ask).user, "<<<<<<< SEARCH"));
}

TEST_F(Render, IsAFunctionOfItsArguments) {
  auto ask = ask_for("geak/optimize");
  ask.feedback = {{"", 8000, AncestorsFeedback{{evaluated(kernel_source(), correct_verdict())}, {"x"}}}};
  EXPECT_EQ(render(ask).user, render(ask).user);
}

TEST_F(Render, WorksForCuda) {
  const auto cuda = prompts::render(templates, ask_for("single_shot/generate"), Brief{task, Language::cuda},
                                    testing::machine());
  EXPECT_TRUE(holds(cuda.user, "cudaStream_t"));
  EXPECT_TRUE(holds(cuda.user, "begins with ```cuda"));
}

TEST_F(Render, RefusesAnUnknownRoleAndAPartAsARole) {
  EXPECT_THROW(render(ask_for("iterative/refin")), BadInput);
  EXPECT_THROW(render(ask_for("common/task")), BadInput);
}

TEST(TaskText, DescribesEveryContract) {
  auto task = testing::softmax_task();
  const std::vector<std::pair<Contract, std::string>> all{
      {Elementwise{}, "lower precision of computation than the dtype's are rejected"},
      {Elementwise{Expression::parse("1"), 1, true}, "lower precision than the dtype's is allowed"},
      {Exact{}, "bit by bit"},
      {Quantized{Expression::parse("K"), 0.02, ""}, "2.0 % of the elements"},
      {Statistical{}, "its distribution counts"},
      {UpToSign{}, "of each column"},
      {ByCheck{"def check(x): return x\n", {"residual", "length"}}, "errors (residual, length) over"}};
  for (const auto& [contract, words] : all) {
    task.contract = contract;
    EXPECT_TRUE(holds(contract_text(task), words)) << contract_text(task);
  }
  task.deterministic = true;
  EXPECT_TRUE(holds(contract_text(task), "must give the same bits"));
}

TEST(TaskText, SaysWhatTheKernelChoosesAndHowThatIsJudged) {
  auto task = testing::softmax_task();
  task.choice = Choice{{"mask"}, "def choose(x):\n    return torch.rand_like(x) >= 0.5\n", Statistical{}};
  const auto text = contract_text(task);
  EXPECT_TRUE(holds(text, "The kernel chooses `mask` itself")) << text;
  EXPECT_TRUE(holds(text, "its distribution counts")) << text;
  EXPECT_TRUE(holds(text, "    return torch.rand_like(x) >= 0.5\n```")) << text;
}

TEST(TaskText, DescribesEveryDraw) {
  for (const auto& name : all_names<Draw>()) {
    auto task = testing::softmax_task();
    std::get<Tensor>(task.parameters[0]).input.draw = from_name<Draw>(name).value();
    EXPECT_FALSE(holds(inputs_text(task), "(float32): \n")) << name;
  }
}

}  // namespace
}  // namespace ridgeline::prompts
