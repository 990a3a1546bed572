#include "engine/submissions/submission.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/error.hpp"
#include "tests/engine/suites/kernelbenchx/small_clone.hpp"

namespace ridgeline::submissions {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const suites::kernelbenchx::Clone& small() {
  static const auto clone = suites::kernelbenchx::open_clone(suites::kernelbenchx::small_clone_root());
  return clone;
}

std::string refusal_of(const std::string& text) {
  try {
    read_submissions("p.jsonl", text, small());
  } catch (const BadInput& error) {
    return error.what();
  }
  return "";
}

TEST(AnswerText, IsTheFirstPythonBlockWithoutTokens) {
  EXPECT_EQ(answer_text("Sure:\n```python\nx = 1\n```\n```python\ny = 2\n```"), "x = 1");
  EXPECT_EQ(answer_text("  x = 1<|im_end|>\n<|EOT|> "), "x = 1");
  EXPECT_EQ(answer_text("x = 1\n```\nand more"), "x = 1");
  EXPECT_EQ(answer_text("```\nx = 1\n```"), "")
      << "a fence without a language ends the text at once, as there";
  EXPECT_EQ(answer_text(""), "");
}

TEST(ReadSubmissions, TakesTasksByTheNameOfTheirFile) {
  const auto read = read_submissions("p.jsonl",
                                     R"({"predict": "a = 1", "file": "half_relu.py"})"
                                     "\n\n"
                                     R"({"predict": "b = 2", "file": "Elsewhere/Halving.py", "more": 3})",
                                     small());
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].file, "Activation/half_relu.py");
  EXPECT_EQ(read[0].stem, "half_relu");
  EXPECT_EQ(read[0].code, "a = 1");
  EXPECT_EQ(read[1].file, "Optimizer/Halving.py");
  EXPECT_EQ(read[1].line, 3);
}

TEST(ReadSubmissions, RefusesEachBadLineWithItsNumberAndARepair) {
  const auto refusal = refusal_of(
      "not json\n"
      R"({"file": "half_relu.py"})"
      "\n"
      R"({"predict": "x"})"
      "\n"
      R"({"predict": "x", "file": "half_rely.py"})"
      "\n"
      R"({"predict": "x", "file": "half_relu.py"})"
      "\n"
      R"({"predict": "y", "file": "Activation/half_relu.py"})");
  EXPECT_THAT(refusal,
              AllOf(HasSubstr("p.jsonl: 5 of its lines cannot be scored, so nothing was run"),
                    HasSubstr("line 1 is no JSON object; write"), HasSubstr("line 2 has no text \"predict\""),
                    HasSubstr("line 3 has no text \"file\"; name the task there"),
                    HasSubstr("line 4 the clone has no task \"half_rely.py\"; did you mean"),
                    HasSubstr("line 6 answers Activation/half_relu.py again, as line 5 did")));
}

TEST(ReadSubmissions, RefusesAFileWithoutLines) {
  EXPECT_THAT(refusal_of("\n \n"), HasSubstr("p.jsonl: has no line; write one"));
}

}  // namespace
}  // namespace ridgeline::submissions
