#include "engine/core/terminal_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace ridgeline {
namespace {

const std::vector<std::vector<std::string>> wide{
    {"strategy", "tried", "compiled", "correct", "speed-up"},
    {"best_of_n with settings that need room", "12", "10/12 83%", "9/12 75%", "1.20× [1.10, 1.31]"},
    {"loop", "12", "10/12 83%", "9/12 75%", "1.20× [1.10, 1.31]"}};

std::size_t widest(const std::string& text) {
  std::istringstream lines(text);
  std::size_t most = 0;
  for (std::string line; std::getline(lines, line);) most = std::max(most, text_width(line));
  return most;
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(TerminalText, CountsCodePoints) {
  EXPECT_EQ(text_width("1.20×"), 5u);
  EXPECT_EQ(text_width("\x1b[32m1.20×\x1b[0m."), 6u) << "a colour has no width";
  EXPECT_EQ(cut_to_columns("1.20× and more", 6), "1.20×…");
  EXPECT_EQ(cut_to_columns("1.20×", 5), "1.20×");
  EXPECT_EQ(cut_to_columns("any length", 0), "any length");
}

TEST(TerminalText, BreaksLinesAtBlanks) {
  EXPECT_EQ(wrapped("one two three", 8, "  "), "one two\n  three");
  EXPECT_EQ(wrapped("one two three", 0, "  "), "one two three") << "no terminal";
  EXPECT_EQ(wrapped("see /a/path/that/is/long now", 8), "see\n/a/path/that/is/long\nnow");
}

TEST(TextTable, KeepsItsWholeWidthWithoutATerminal) {
  const auto text = text_table(wide, Alignment::first_left_only);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  EXPECT_EQ(times(text, "\x1b"), 0u);
}

TEST(TextTable, ContinuesBelowItselfWhereTheTerminalIsNarrow) {
  for (const std::size_t columns : {40u, 60u, 80u}) {
    const auto text = text_table(wide, Alignment::first_left_only, {.columns = columns}, "  ");
    EXPECT_LE(widest(text), columns) << text;
    for (const auto* cell : {"tried", "10/12 83%", "9/12 75%", "1.20× [1.10, 1.31]"})
      EXPECT_GE(times(text, cell), 1u) << cell << text;
    EXPECT_EQ(times(text, "strategy"), times(text, "loop")) << "every part names its rows" << text;
  }
}

TEST(TextTable, StaysOneTableWhereItFits) {
  const auto text = text_table(wide, Alignment::first_left_only, {.columns = 200});
  EXPECT_EQ(text, text_table(wide, Alignment::first_left_only));
}

TEST(TextTable, PaintsItsHeadWhereThereAreColours) {
  const auto text = text_table(wide, Alignment::left, {.columns = 200, .colours = true});
  EXPECT_EQ(text.find("\x1b[1mstrategy"), 0u);
  EXPECT_EQ(times(text, "\x1b["), 2u);
}

}  // namespace
}  // namespace ridgeline
