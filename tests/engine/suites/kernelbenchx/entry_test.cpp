// A file's text to its two parts and the callable under test.
#include "engine/suites/kernelbenchx/entry.hpp"

#include <gtest/gtest.h>

namespace ridgeline::suites::kernelbenchx {
namespace {

const std::string kLine(separator_length, '#');

TEST(Separator, PartsMakeTheTextAgain) {
  const auto text = "import torch\n\n" + kLine + "\n\ntest_results = 1\n";
  const auto parts = split_at_separator(text);
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->reference, "import torch\n\n");
  EXPECT_EQ(parts->test, "\n\ntest_results = 1\n");
  EXPECT_EQ(parts->reference + kLine + parts->test, text);
}

TEST(Separator, IsThereOnce) {
  EXPECT_FALSE(split_at_separator("import torch\n"));
  EXPECT_FALSE(split_at_separator(kLine.substr(1)));
  EXPECT_FALSE(split_at_separator(kLine + "\n" + kLine));
}

TEST(Entry, IsTheStemThatTheTestCalls) {
  EXPECT_EQ(entry_of({"def helper(x):\n  pass\ndef gelu(x):\n  pass\n", "gelu(a)\nhelper(a)\n"}, "gelu"),
            "gelu");
  EXPECT_EQ(entry_of({"gelu = torch.gelu\n", "r = [gelu (a)]\n"}, "gelu"), "gelu");
}

TEST(Entry, IsTheOnlyOtherNameThatTheTestCalls) {
  EXPECT_EQ(entry_of({"def helper(x):\n  pass\ndef adamw_step(x):\n  pass\n", "adamw_step(a)\n"}, "AdamW"),
            "adamw_step");
}

TEST(Entry, IsNoNameInACommentOrOfTorchOrOfTheTest) {
  const std::string reference = "def gelu(x):\n  pass\n";
  for (const char* test : {"# gelu(a)\n", "torch.gelu(a)\n", "def gelu(a):\n", "my_gelu(a)\n", "gelu\n"})
    EXPECT_EQ(entry_of({reference, test}, "gelu"), "") << test;
}

TEST(Entry, IsUnknownWhereTwoOthersAreCalled) {
  EXPECT_EQ(entry_of({"def a(x):\n  pass\nclass B:\n  pass\n", "a(1)\nB(2)\n"}, "gelu"), "");
}

TEST(Entry, IsNoComparisonAndNoMethod) {
  EXPECT_EQ(entry_of({"a == 1\n  def a(x):\n", "a(1)\n"}, "a"), "");
}

}  // namespace
}  // namespace ridgeline::suites::kernelbenchx
