// Answers as models really give them.
#include "prompts/answer_reader.hpp"

#include <gtest/gtest.h>

#include "prompts/text.hpp"
#include "tests/prompts/fixtures.hpp"

namespace ridgeline::prompts {
namespace {

using testing::kernel_source;

class ReadAnswer : public ::testing::Test {
 protected:
  Answer read(const std::string& text) const { return read_answer(text, ask, Brief{task}); }

  /// Reads a kernel and expects it to be `source`.
  void expect_kernel(const std::string& text, const std::string& source) const {
    const auto answer = read(text);
    ASSERT_EQ(answer.status, AnswerStatus::kernel) << answer.detail << "\n" << text;
    EXPECT_EQ(answer.candidate->source, source) << text;
    EXPECT_EQ(answer.candidate->hash, make_candidate(Language::cpp, source).hash);
    EXPECT_EQ(answer.detail, "");
  }
  void expect_none(const std::string& text, AnswerStatus status, const std::string& reason) const {
    const auto answer = read(text);
    EXPECT_EQ(answer.status, status) << text;
    EXPECT_FALSE(answer.candidate.has_value());
    EXPECT_TRUE(testing::holds(answer.detail, reason)) << answer.detail;
  }

  Task task = testing::softmax_task();
  Ask ask;
  std::string kernel = kernel_source();
};

TEST_F(ReadAnswer, ReadsFencesOfEveryStyle) {
  for (const auto& [open, close] :
       std::vector<std::pair<std::string, std::string>>{{"```cpp\n", "```"},
                                                        {"```c++\n", "```\n"},
                                                        {"```C++ kernel.cpp\n", "```"},
                                                        {"```{.cpp title=\"x\"}\n", "```"},
                                                        {"```\n", "```"},
                                                        {"~~~cpp\n", "~~~"},
                                                        {"~~~~~\n", "~~~~~~~"},
                                                        {"````cpp\n", "````"},
                                                        {"``` cpp\n", "```  "},
                                                        {"Here it is: ```cpp\n", "```"}})
    expect_kernel("I vectorised it.\n\n" + open + kernel + close + "\nIt should be fast.", kernel);
}

TEST_F(ReadAnswer, AFenceWithinAListIsTakenOutOfItsIndentation) {
  std::string indented = "1. The kernel:\n\n   ```cpp\n";
  for (const auto line : lines_of(kernel)) indented += line.empty() ? "\n" : "   " + std::string(line) + "\n";
  expect_kernel(indented + "   ```\n2. Done.", kernel);
}

TEST_F(ReadAnswer, ReadsABlockInsideABlockOfMarkdown) {
  expect_kernel("````markdown\nText\n```cpp\n" + kernel + "```\n````", kernel);
  expect_kernel("```markdown\n```cpp\n" + kernel + "```\n```", kernel);
  expect_kernel("```\n```cpp\n" + kernel + "```\n```", kernel);
}

TEST_F(ReadAnswer, ReadsAClosingFenceBehindTheLastBrace) {
  auto glued = kernel;
  glued.pop_back();
  expect_kernel("```cpp\n" + glued + "```", kernel);
}

TEST_F(ReadAnswer, AFenceInACommentIsNoFence) {
  const auto commented = "/// ```cpp\n/// kernel_softmax(x, y);\n/// ```\n" + kernel;
  expect_kernel("```cpp\n" + commented + "```", commented);
}

TEST_F(ReadAnswer, TakesTheLastOfSeveralBlocksThatDefineTheEntryPoint) {
  const auto draft = kernel_source("  // draft");
  const std::string stub =
      "extern \"C\" void kernel_softmax(const float* x, float* y, int64_t M, int64_t N, void* s);\n";
  const std::string usage = "int main() { kernel_softmax(x, y, 4, 4, nullptr); }\n";
  expect_kernel("The stub is\n```cpp\n" + stub + "```\nfirst try\n```cpp\n" + draft +
                    "```\nbetter\n```cpp\n" + kernel + "```\nCall it so:\n```cpp\n" + usage +
                    "```\nBuild:\n```bash\ng++ -O3 k.cpp\n```\n",
                kernel);
}

TEST_F(ReadAnswer, EndsABlockWithoutAClosingFenceAtTheNextBlock) {
  const auto draft = kernel_source("  // draft");
  expect_kernel("```cpp\n" + draft + "\nNow better:\n```cpp\n" + kernel + "```", kernel);
}

TEST_F(ReadAnswer, HeadersInABlockOfTheirOwnGoBeforeTheKernel) {
  const std::string headers = "#include <cmath>\n#include <cstdint>\n";
  const std::string helper = "static float square(float v) { return v * v; }\n";
  const std::string body =
      "extern \"C\" void kernel_softmax(const float* x, float* y) { y[0] = square(x[0]); }\n";
  expect_kernel(
      "```cpp\n" + headers + "```\nhelper\n```cpp\n" + helper + "```\nkernel\n```cpp\n" + body + "```",
      headers + "\n" + helper + "\n" + body);
}

TEST_F(ReadAnswer, RemovesReasoning) {
  const auto draft = "```cpp\n" + kernel_source("  // draft") + "```\n";
  const auto answer = "```cpp\n" + kernel + "```";
  for (const std::string tag : {"think", "thinking", "THINK", "thought", "reasoning"})
    expect_kernel("<" + tag + ">\nLet me see. " + draft + "</" + tag + ">\n\n" + answer, kernel);
  expect_kernel("It was opened in the prompt. " + draft + "</think>\n" + answer, kernel);
  expect_kernel("<|channel|>analysis<|message|>" + draft +
                    "<|end|><|start|>assistant<|channel|>final<|message|>" + answer,
                kernel);
  const auto read_back = read("<think>secret</think>\nHere.\n" + answer);
  EXPECT_FALSE(testing::holds(read_back.text, "secret"));
  EXPECT_EQ(read_back.text.rfind("Here.", 0), 0u);
}

TEST_F(ReadAnswer, TakesACompleteKernelFromReasoningThatWasNeverClosed) {
  expect_kernel("<think>\nI will write\n```cpp\n" + kernel + "```\nand that is all", kernel);
  expect_none("<think>\nPerhaps a loop over rows would", AnswerStatus::no_code, "reasoning was not finished");
  expect_none("<think>\n```cpp\n" + kernel.substr(0, kernel.size() - 4), AnswerStatus::no_code,
              "reasoning was not finished");
}

TEST_F(ReadAnswer, CodeInFinishedReasoningIsNoAnswer) {
  expect_none("<think>\n```cpp\n" + kernel + "```\n</think>\n", AnswerStatus::no_code, "empty");
}

TEST_F(ReadAnswer, TakesAnUnfinishedBlockWhoseBracketsAreClosed) {
  expect_kernel("```cpp\n" + kernel, kernel);
  expect_none("```cpp\n" + kernel_source("  for (int64_t i = 0; i < M; ++i) {").substr(0, 140),
              AnswerStatus::no_code, "cut off");
  // The complete draft is better than the torn last word.
  expect_kernel("```cpp\n" + kernel + "```\nBetter:\n```cpp\n" + kernel.substr(0, kernel.size() - 4), kernel);
}

TEST_F(ReadAnswer, TakesCodeWithoutAFence) {
  expect_kernel(kernel, kernel);
  expect_kernel("Here's what I'd do (it doesn't need a fence):\n\n" + kernel + "\nThis is simple, isn't it?",
                kernel);
  expect_kernel("<code>\n" + kernel + "</code>", kernel);
  expect_none("Sure:\n" + kernel.substr(0, kernel.size() - 3), AnswerStatus::no_code, "cut off");
}

TEST_F(ReadAnswer, TakesCodeInJson) {
  expect_kernel(R"({"thought": "simple", "code": "#include <cmath>\nextern \"C\" void kernel_softmax() {}"})",
                "#include <cmath>\nextern \"C\" void kernel_softmax() {}\n");
  expect_kernel("```json\n{\"code\": \"extern \\\"C\\\" void kernel_softmax() {}\\n\"}\n```",
                "extern \"C\" void kernel_softmax() {}\n");
}

TEST_F(ReadAnswer, AFileThatLacksTheEntryPointIsLeftToTheBuild) {
  const std::string other = "#include <cstdint>\nextern \"C\" void softmax_kernel(float* y) { y[0] = 0; }\n";
  expect_kernel("```cpp\n" + other + "```", other);
  const std::string by_macro =
      "#define NAME kernel_softmax\nextern \"C\" void NAME(float* y) { y[0] = 0; }\n";
  expect_kernel("```cpp\n" + by_macro + "```", by_macro);
}

TEST_F(ReadAnswer, AnAnswerWithoutCodeSaysWhy) {
  expect_none("", AnswerStatus::no_code, "empty");
  expect_none("   \n\n", AnswerStatus::no_code, "empty");
  expect_none("I'm sorry, I can't help with that.", AnswerStatus::no_code, "no code block");
  expect_none("Use this loop:\n```cpp\nfor (int i = 0; i < n; ++i) s += x[i];\n```", AnswerStatus::no_code,
              "defines `kernel_softmax`");
  expect_none("```bash\ng++ -O3 kernel.cpp\n```", AnswerStatus::no_code, "no code block");
}

TEST_F(ReadAnswer, ADeclarationOrACallIsNoDefinition) {
  const std::string call = "#include <x.h>\nvoid f() { kernel_softmax(a, b); }\n";
  const auto text = "```cpp\n" + kernel + "```\n```cpp\n" + call + "```";
  expect_kernel(text, kernel);
  const std::string mentioned =
      "// kernel_softmax(x) {\nconst char* s = \"kernel_softmax() {\";\n#include <y>\n";
  expect_kernel("```cpp\n" + kernel + "```\n```cpp\n" + mentioned + "```", kernel);
}

TEST_F(ReadAnswer, CleansLineEndsAndBytesThatAreNotUtf8) {
  std::string windows;
  for (const char c : kernel) windows += c == '\n' ? "\r\n" : std::string(1, c);
  expect_kernel("\xEF\xBB\xBF```cpp\r\n" + windows + "```\r\n", kernel);
  const auto answer = read("```cpp\n// caf\xE9 \xF0\x9F\n" + kernel + "```");
  ASSERT_EQ(answer.status, AnswerStatus::kernel);
  EXPECT_EQ(answer.candidate->source, "// caf\xEF\xBF\xBD \xEF\xBF\xBD\xEF\xBF\xBD\n" + kernel);
}

TEST_F(ReadAnswer, EndsOnHugeAndOddAnswers) {
  EXPECT_EQ(read(std::string(3'000'000, '`')).status, AnswerStatus::no_code);
  EXPECT_EQ(read(std::string(1'000'000, '{')).status, AnswerStatus::no_code);
  std::string fences;
  for (int i = 0; i < 20000; ++i) fences += "```\n";
  EXPECT_EQ(read(fences).status, AnswerStatus::no_code);
  const auto long_comment = "/* " + std::string(2'000'000, 'x') + " */\n" + kernel;
  expect_kernel("```cpp\n" + long_comment + "```", long_comment);
}

TEST_F(ReadAnswer, ACriticsAnswerIsProse) {
  ask.critic = true;
  const auto answer = read("<think>hm</think>\nLine 3 reads past the end.\n```cpp\n" + kernel + "```\n");
  EXPECT_EQ(answer.status, AnswerStatus::prose);
  EXPECT_EQ(answer.text.rfind("Line 3", 0), 0u);
  EXPECT_FALSE(answer.candidate.has_value());
  EXPECT_EQ(read(" \n").status, AnswerStatus::no_code);
}

TEST_F(ReadAnswer, ParentsAreTheSourcesThatStoodInThePrompt) {
  const auto changed = testing::evaluated(kernel_source("// a"), Verdict{});
  const auto slow = testing::evaluated(kernel_source("// b"), Verdict{});
  const auto listed = testing::evaluated(kernel_source("// c"), Verdict{});
  ask.change = changed;
  ask.feedback.push_back({"", 100, HistoryFeedback{{listed}}});  // a line, not its source
  ask.feedback.push_back({"", 100, AncestorsFeedback{{slow, changed}, {"", ""}}});
  const auto answer = read("```cpp\n" + kernel + "```");
  EXPECT_EQ(answer.candidate->parents, (std::vector<Hash>{changed->candidate.hash, slow->candidate.hash}));
}

TEST_F(ReadAnswer, ReadsAnswersInPython) {
  const std::string model = "import torch\n\nclass ModelNew(torch.nn.Module):\n    pass\n";
  const auto read_as = [&](const std::string& text, Language language) {
    return read_answer(text, ask, Brief{task, language});
  };
  EXPECT_EQ(read_as("```python\n" + model + "```", Language::torch).candidate->source, model);
  EXPECT_EQ(read_as("Sure.\n" + model, Language::torch).candidate->source, model);
  task.module = Module{};
  const std::string triton = "import triton\n\nclass ModelNew(torch.nn.Module):\n    pass\n";
  EXPECT_EQ(read_as("```py\n" + triton + "```\n```python\nprint(ModelNew()(x))\n```", Language::triton)
                .candidate->source,
            triton);
}

TEST_F(ReadAnswer, AFunctionIsTheBlockThatDefinesIt) {
  task.module = Module{};
  task.module->function = "twice";
  const std::string source = "import torch\n\ndef twice(x):\n    return x * 2\n";
  const auto read_as = [&](const std::string& text) {
    return read_answer(text, ask, Brief{task, Language::triton});
  };
  EXPECT_EQ(read_as("```python\nprint(twice(x))\n```\n```python\n" + source + "```").candidate->source,
            source);
  const auto none = read_as("```python\nclass ModelNew:\n    pass\n```");
  ASSERT_FALSE(none.candidate);
  EXPECT_NE(none.detail.find("defines `twice`"), std::string::npos) << none.detail;
}

TEST_F(ReadAnswer, ATritonKernelOfANativeTaskIsTheBlockThatDefinesItsFunction) {
  const std::string source =
      "import triton\nimport triton.language as tl\n\n@triton.jit\ndef rows(x, y, N):\n    pass\n\n\n"
      "def kernel_softmax(x, y, M, N):\n    rows[(M,)](x, y, N)\n";
  const auto read_as = [&](const std::string& text) {
    return read_answer(text, ask, Brief{task, Language::triton});
  };
  EXPECT_EQ(
      read_as("```python\n" + source + "```\n```python\nkernel_softmax(x, y, 4, 4)\n```").candidate->source,
      source);
  EXPECT_EQ(read_as("Sure.\n" + source).candidate->source, source);
  const auto none = read_as("```python\nclass Softmax:\n    pass\n```");
  EXPECT_FALSE(none.candidate);
  EXPECT_NE(none.detail.find("`kernel_softmax`"), std::string::npos) << none.detail;
}

}  // namespace
}  // namespace ridgeline::prompts
