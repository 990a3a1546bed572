// Diffs, normalised sources, maintainability, splits: text and numbers in, text and numbers out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/code_quality/maintainability.hpp"
#include "engine/code_quality/source_text.hpp"
#include "engine/core/statistics.hpp"
#include "engine/export/dedup.hpp"
#include "engine/export/line_diff.hpp"
#include "engine/export/row.hpp"
#include "engine/export/splits.hpp"

namespace ridgeline::exporting {
namespace {

using code_quality::maintainability, code_quality::normalised, code_quality::without_comments;

TEST(LineDiff, UnifiedFormat) {
  const auto diff = diff_lines("a\nb\nc\nd\ne\nf\ng\nh\n", "a\nb\nc\nd\nE\nf\ng\nh\ni\n");
  EXPECT_EQ(unified(diff, "x", "y"), "--- x\n+++ y\n@@ -2,7 +2,8 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n+i\n");
  EXPECT_EQ(diff.same, 7);
  EXPECT_EQ(diff.blocks, 4);
  EXPECT_DOUBLE_EQ(diff.similarity(), 14.0 / 17);
}

TEST(LineDiff, HandlesEmptyEqualAndEntirelyNewTexts) {
  EXPECT_EQ(unified(diff_lines("a\n", "a\n"), "x", "y"), "");
  EXPECT_DOUBLE_EQ(diff_lines("", "").similarity(), 1);
  EXPECT_EQ(unified(diff_lines("", "a\nb\n"), "x", "y"), "--- x\n+++ y\n@@ -0,0 +1,2 @@\n+a\n+b\n");
  EXPECT_EQ(unified(diff_lines("a\n", ""), "x", "y"), "--- x\n+++ y\n@@ -1 +0,0 @@\n-a\n");
}

TEST(LineDiff, ReproducesBothTextsForAnyPair) {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    std::string a, b, from_a, from_b;
    for (std::size_t i = random.below(12); i > 0; --i)
      a += static_cast<char>('a' + random.below(4)), a += '\n';
    for (std::size_t i = random.below(12); i > 0; --i)
      b += static_cast<char>('a' + random.below(4)), b += '\n';
    for (const auto& line : diff_lines(a, b).lines) {
      if (line.change != LineChange::added) from_a += line.text + "\n";
      if (line.change != LineChange::removed) from_b += line.text + "\n";
    }
    ASSERT_EQ(from_a, a);
    ASSERT_EQ(from_b, b);
  }
}

TEST(LineDiff, LongTextsWithLittleInCommonAreReplacedFromSomewhereOn) {
  const auto text = [](char name, int common) {
    std::string lines;
    for (int i = 0; i < 12000; ++i)
      lines += (i < 1000 || (i >= 6000 && i < 6000 + common) ? 'c' : name) + std::to_string(i) + "\n";
    return lines;
  };
  for (const int common : {0, 200}) {
    const auto a = text('a', common), b = text('b', common);
    std::string from_a, from_b;
    const auto diff = diff_lines(a, b);
    for (const auto& line : diff.lines) {
      if (line.change != LineChange::added) from_a += line.text + "\n";
      if (line.change != LineChange::removed) from_b += line.text + "\n";
    }
    EXPECT_EQ(from_a, a);
    EXPECT_EQ(from_b, b);
    EXPECT_EQ(diff.same, 1000) << "common lines beyond the end of the search are none";
    EXPECT_EQ(diff.blocks, 2);
  }
}

TEST(Row, AnAnswerStandsInAFenceOfItsLanguage) {
  for (const auto& known : languages_known)
    EXPECT_EQ(as_answer(make_candidate(known.language, "x")),
              "```" + std::string(known.fence) + "\nx\n```\n");
  EXPECT_EQ(as_answer(make_candidate(Language::triton, "x\n")), "```python\nx\n```\n");
}

TEST(SourceText, RemovesCommentsAndKeepsLiterals) {
  EXPECT_EQ(without_comments("int a; // x\nint b; /* y\n*/ char* s = \"// no\";", Language::cpp),
            "int a;  \nint b;   char* s = \"// no\";");
  EXPECT_EQ(without_comments("long n = 1'000; // x", Language::cpp), "long n = 1'000;  ");
  EXPECT_EQ(without_comments("x = '#' # y\n", Language::triton), "x = '#'  \n");
  EXPECT_EQ(without_comments("/* open", Language::cpp), " ");
}

TEST(SourceText, NormalisingIgnoresCommentsAndWhiteSpace) {
  EXPECT_EQ(normalised("int  f( int a )\n{ return a+1; } // one", Language::cpp),
            normalised("int f(int a) {\n  return a + 1;\n}", Language::cpp));
  EXPECT_NE(normalised("int ab;", Language::cpp), normalised("int a b;", Language::cpp));
  EXPECT_EQ(normalised("if x:\n    y = 1  # c\n\n", Language::torch),
            normalised("if x:\n    y=1\n", Language::torch));
  EXPECT_NE(normalised("if x:\n  y\nz\n", Language::torch), normalised("if x:\n  y\n  z\n", Language::torch));
}

TEST(Dedup, RecognizesNearlyEqualPairs) {
  ExportedPairs seen;
  const auto a = make_candidate(Language::cpp, "int a = 1;"),
             a_again = make_candidate(Language::cpp, "int  a = 1; // same");
  const auto b = make_candidate(Language::cpp, "int a = 2;");
  EXPECT_TRUE(seen.first_time("task", a, b));
  EXPECT_FALSE(seen.first_time("task", a_again, b));
  EXPECT_TRUE(seen.first_time("task", b, a)) << "a pair has a direction";
  EXPECT_TRUE(seen.first_time("another task", a, b));
}

TEST(Maintainability, RatesSimplerSourcesHigher) {
  const auto simple = maintainability("int f(int a) { return a + 1; }\n", Language::cpp).value();
  const auto branching =
      maintainability(
          "int f(int a, int b) {\n  if (a > 0 && b > 0) return a;\n  for (int i = 0; i < a; ++i)\n"
          "    b += i % 2 ? i : -i;  // \"if\" here does not count: if\n  return b;\n}\n",
          Language::cpp)
          .value();
  EXPECT_EQ(simple.complexity, 1);
  EXPECT_EQ(branching.complexity, 5);  // if, &&, for, ?
  EXPECT_GT(simple.index, branching.index);
  EXPECT_GT(branching.index, 0);
  EXPECT_LE(simple.index, 100);
  EXPECT_FALSE(maintainability("def f(): pass", Language::triton));
  EXPECT_GE(maintainability("", Language::cpp)->index, 0);
}

TEST(Splits, AreFixedForEverAndInProportion) {
  EXPECT_EQ(split_of("matmul"), Split::train) << "pinned: a change would move tasks between splits";
  EXPECT_EQ(split_of("layer_norm"), Split::validation);
  EXPECT_EQ(split_of("softmax"), Split::test);
  int train = 0, validation = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto split = split_of("task_" + std::to_string(i));
    train += split == Split::train;
    validation += split == Split::validation;
  }
  EXPECT_NEAR(train, 1600, 80);
  EXPECT_NEAR(validation, 200, 50);
}

}  // namespace
}  // namespace ridgeline::exporting
