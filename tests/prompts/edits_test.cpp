// Diffs against the parent, through the reader that the campaign calls.
#include "prompts/edits.hpp"

#include <gtest/gtest.h>

#include "prompts/answer_reader.hpp"
#include "tests/prompts/fixtures.hpp"

namespace ridgeline::prompts {
namespace {

const std::string parent =
    "#include <cstdint>\n"
    "\n"
    "extern \"C\" void kernel_softmax(const float* x, float* y, int64_t M, int64_t N, void*) {\n"
    "  for (int64_t i = 0; i < M; ++i) {\n"
    "    y[i] = x[i];\n"
    "  }\n"
    "  for (int64_t j = 0; j < N; ++j) {\n"
    "    y[j] = 0;\n"
    "  }\n"
    "}\n";

std::string replaced(const std::string& from, const std::string& to) {
  auto text = parent;
  return text.replace(text.find(from), from.size(), to);
}

std::string edit(const std::string& search, const std::string& replace) {
  return "<<<<<<< SEARCH\n" + search + "=======\n" + replace + ">>>>>>> REPLACE\n";
}

class ReadEdits : public ::testing::Test {
 protected:
  ReadEdits() { ask.change = testing::evaluated(parent, Verdict{}); }

  Answer read(const std::string& text) const { return read_answer(text, ask, Brief{task}); }
  void expect_source(const std::string& text, const std::string& source) const {
    const auto answer = read(text);
    ASSERT_EQ(answer.status, AnswerStatus::kernel) << answer.detail << "\n" << text;
    EXPECT_EQ(answer.candidate->source, source) << text;
    EXPECT_EQ(answer.candidate->parents, std::vector<Hash>{ask.change->candidate.hash});
  }
  void expect_failure(const std::string& text, const std::string& reason) const {
    const auto answer = read(text);
    EXPECT_EQ(answer.status, AnswerStatus::diff_failed) << text;
    EXPECT_TRUE(testing::holds(answer.detail, reason)) << answer.detail;
    EXPECT_FALSE(answer.candidate.has_value());
  }

  Task task = testing::softmax_task();
  Ask ask;
};

TEST_F(ReadEdits, AppliesOneOrSeveralEditsBareOrFenced) {
  const auto first = edit("    y[i] = x[i];\n", "    y[i] = 2 * x[i];\n");
  const auto second = edit("    y[j] = 0;\n", "    y[j] = 1;\n");
  expect_source(first, replaced("x[i];", "2 * x[i];"));
  auto both = replaced("x[i];", "2 * x[i];");
  both.replace(both.find("y[j] = 0"), 8, "y[j] = 1");
  expect_source("Two changes.\n\n" + first + "\nand\n\n" + second, both);
  expect_source("```cpp\n" + first + "```\n```diff\n" + second + "```\n", both);
  expect_source("```\n" + first + second + "```", both);
}

TEST_F(ReadEdits, ReadsMarkersAsModelsWriteThem) {
  expect_source("<<<<<<<< search\n    y[j] = 0;\n========\n    y[j] = 1;\n>>>>>>>> replace\n",
                replaced("= 0;\n  }\n}", "= 1;\n  }\n}"));
  expect_source("<<<<<<< ORIGINAL\n    y[j] = 0;\n=======\n    y[j] = 1;\n>>>>>>> UPDATED\n",
                replaced("= 0;\n  }\n}", "= 1;\n  }\n}"));
}

TEST_F(ReadEdits, AnEmptyReplacementDeletes) {
  expect_source(edit("    y[i] = x[i];\n", ""), replaced("    y[i] = x[i];\n", ""));
}

TEST_F(ReadEdits, IgnoresDifferencesInSpace) {
  expect_source(edit("    y[i] = x[i];  \n", "    y[i] = 3;\n"), replaced("x[i];", "3;"));
  // Indentation lost by the model: the replacement gets the parent's.
  expect_source(edit("for (int64_t j = 0; j < N; ++j) {\n  y[j] = 0;\n}\n",
                     "for (int64_t j = 1; j < N; ++j) {\n  y[j] = 5;\n}\n"),
                replaced("  for (int64_t j = 0; j < N; ++j) {\n    y[j] = 0;\n  }\n",
                         "  for (int64_t j = 1; j < N; ++j) {\n    y[j] = 5;\n  }\n"));
  expect_source(edit("\n    y[i] = x[i];\n\n", "\n    y[i] = 4;\n\n"), replaced("x[i];", "4;"));
}

TEST_F(ReadEdits, SaysWhichEditDoesNotApplyAndWhy) {
  const auto good = edit("    y[j] = 0;\n", "    y[j] = 1;\n");
  expect_failure(good + edit("    z[i] = 1;\n", "x\n"),
                 "edit 2 of 2 does not apply: the kernel has no line `z[i] = 1;`");
  expect_failure(edit("  }\n", "  } // end\n"), "several times in the kernel (at lines 6, 9)");
  expect_failure(edit("    y[j] = 0;\n    y[i] = x[i];\n", ""), "not together in this order");
  expect_failure(edit("", "int x;\n"), "searches for nothing");
}

TEST_F(ReadEdits, ReportsAnUnfinishedEdit) {
  expect_failure("<<<<<<< SEARCH\n    y[j] = 0;\n", "edit 1 is not finished: it has no `=======`");
  expect_failure("<<<<<<< SEARCH\n    y[j] = 0;\n=======\n    y[j] =", "no `>>>>>>> REPLACE`");
  const auto good = edit("    y[j] = 0;\n", "    y[j] = 1;\n");
  expect_failure(good + "<<<<<<< SEARCH\n    y[i]", "edit 2 is not finished");
}

TEST_F(ReadEdits, WithoutAParentThereIsNothingToEdit) {
  ask.change = nullptr;
  expect_failure(edit("a\n", "b\n"), "there is none yet");
}

TEST_F(ReadEdits, AWholeFileAfterTheEditsWins) {
  const auto whole = testing::kernel_source("  // whole");
  expect_source(edit("    y[j] = 0;\n", "    y[j] = 1;\n") + "All together:\n```cpp\n" + whole + "```",
                whole);
}

TEST_F(ReadEdits, TheParentRepeatedIsNoAnswer) {
  const auto change = edit("    y[j] = 0;\n", "    y[j] = 1;\n");
  const auto expected = replaced("y[j] = 0", "y[j] = 1");
  expect_source("The kernel was\n```cpp\n" + parent + "```\nI change:\n" + change, expected);
  expect_source("I change:\n" + change + "\nof\n```cpp\n" + parent + "```\n", expected);
}

TEST_F(ReadEdits, AppliesUnifiedDiffs) {
  const std::string hunk =
      "@@ -3,4 +3,4 @@\n   for (int64_t i = 0; i < M; ++i) {\n-    y[i] = x[i];\n+    y[i] = 7;\n   }\n";
  const auto expected = replaced("x[i];", "7;");
  expect_source("```diff\n--- a/kernel.cpp\n+++ b/kernel.cpp\n" + hunk + "```", expected);
  expect_source(
      "```diff\ndiff --git a/k.cpp b/k.cpp\nindex 12..34 100644\n--- a/k.cpp\n+++ b/k.cpp\n" + hunk + "```",
      expected);
  expect_source("```diff\n" + hunk + "```", expected);
  expect_source("```diff\n-    y[i] = x[i];\n+    y[i] = 7;\n```", expected);
  expect_source("```cpp\n--- a/k.cpp\n+++ b/k.cpp\n" + hunk + "```", expected);
  expect_source("```diff\n@@ ... @@\n-    y[i] = x[i];\n+    y[i] = 7;\n\n```", expected);
}

TEST_F(ReadEdits, ALineNumberDecidesBetweenPlaces) {
  expect_source("```diff\n@@ -9,1 +9,1 @@\n-  }\n+  }  // second\n```",
                replaced("  }\n}", "  }  // second\n}"));
  expect_source("```diff\n@@ -1,0 +2,1 @@\n+#include <cmath>\n```",
                replaced("<cstdint>\n", "<cstdint>\n#include <cmath>\n"));
}

TEST_F(ReadEdits, RefusesADiffThatChangesNothingOrDoesNotFit) {
  expect_failure("```diff\n@@ -1,1 +1,1 @@\n #include <cstdint>\n```", "adds and removes nothing");
  expect_failure("```diff\n@@ -1,1 +1,1 @@\n-#include <vector>\n+#include <array>\n```",
                 "no line `#include <vector>`");
}

TEST(ApplyEdits, AppliesAllOrNone) {
  const std::vector<Edit> edits{{{"a"}, {"A"}, 0}, {{"nowhere"}, {}, 0}};
  const auto result = apply_edits("a\nb\n", edits);
  EXPECT_FALSE(result.source.has_value());
  EXPECT_TRUE(testing::holds(result.problem, "edit 2 of 2"));
}

TEST(ApplyEdits, RemovesSurplusIndentation) {
  const std::vector<Edit> edits{{{"    b;"}, {"    c;", "      d;"}, 0}};
  EXPECT_EQ(apply_edits("a\n  b;\n", edits).source, "a\n  c;\n    d;\n");
}

}  // namespace
}  // namespace ridgeline::prompts
