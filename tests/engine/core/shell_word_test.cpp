#include "engine/core/shell_word.hpp"

#include <gtest/gtest.h>

namespace ridgeline {
namespace {

TEST(ShellWord, QuotesWhatAShellWouldReadOtherwise) {
  EXPECT_EQ(shell_word("runs/first-1.db"), "runs/first-1.db");
  for (const auto* word : {"a b", "$HOME", "a;b", "~", "a=b", "*", "`x`", "a\nb"})
    EXPECT_EQ(shell_word(word), "'" + std::string(word) + "'");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quoted("plain"), "'plain'");
}

}  // namespace
}  // namespace ridgeline
