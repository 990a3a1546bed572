#include "engine/core/one_line.hpp"

#include <gtest/gtest.h>

namespace ridgeline {
namespace {

TEST(OneLine, ReplacesLineEndsAndTerminalCommands) {
  EXPECT_EQ(in_one_line("ValueError: no\n\x1b[2Jsoftmax: correct, 3.00x\n"),
            "ValueError: no [2Jsoftmax: correct, 3.00x ");
  EXPECT_EQ(in_one_line("a\r\n\tb\x7f"
                        "c"),
            "a b c");
  EXPECT_EQ(in_one_line("\xC2\x9B"
                        "2J cleared"),
            "2J cleared")
      << "a control sequence in one character";
}

TEST(OneLine, KeepsOrdinaryText) {
  EXPECT_EQ(in_one_line("Größe µ ist 3 × zu klein"), "Größe µ ist 3 × zu klein");
  EXPECT_EQ(in_one_line(""), "");
  EXPECT_EQ(in_one_line("\xC2"), "\xC2") << "cut in the midst of a character";
}

}  // namespace
}  // namespace ridgeline
