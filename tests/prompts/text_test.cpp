#include "prompts/text.hpp"

#include <gtest/gtest.h>

#include "prompts/token_budget.hpp"

namespace ridgeline::prompts {
namespace {

TEST(Text, CleansWhatIsNotUtf8) {
  EXPECT_EQ(clean("a\r\nb\rc"), "a\nb\nc");
  EXPECT_EQ(clean(std::string("a\0b\x07", 4)), "ab");
  EXPECT_EQ(clean("\x1b[1;31mred\x1b[0m"), "red");
  EXPECT_EQ(clean("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");           // overlong
  EXPECT_EQ(clean("\xED\xA0\x80").substr(0, 3), "\xEF\xBF\xBD");      // a surrogate
  EXPECT_EQ(clean("\xF4\x90\x80\x80").substr(0, 3), "\xEF\xBF\xBD");  // beyond U+10FFFF
  EXPECT_EQ(clean("µ€😀"), "µ€😀");
  EXPECT_EQ(clean("\xE2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD");  // cut off
}

TEST(Text, CutsBetweenCharacters) {
  EXPECT_EQ(cut("abc", 3), "abc");
  EXPECT_EQ(cut("abcdef", 5), "ab…");
  EXPECT_EQ(cut("üüüü", 6), "ü…");
}

TEST(Text, CleanRemovesControlCharactersBeyondAscii) {
  EXPECT_EQ(clean("a\xC2\x80"
                  "b\xC2\x85"
                  "c\xC2\x9F"
                  "d"),
            "abcd");
  EXPECT_EQ(clean("\xC2\x9B"
                  "1;31mred\xC2\x9B"
                  "0m"),
            "red")
      << "colours with the eight-bit introducer";
  EXPECT_EQ(clean("\xC2\xA0"), "\xC2\xA0") << "the first character that prints";
}

TEST(Text, AnUnfinishedEscapeSequenceEndsWithItsLine) {
  EXPECT_EQ(clean("a\x1b[31\nb"), "a\nb");
  EXPECT_EQ(clean("a\x1b[\x1b[1mb"), "ab");
  EXPECT_EQ(clean("a\x1b[1µ"), "aµ");
  EXPECT_EQ(clean("a\x1b[1"), "a");
}

TEST(Text, CutNeverReturnsMoreThanItsLimit) {
  for (std::size_t bytes = 0; bytes < 8; ++bytes) EXPECT_LE(cut("abcdefgh", bytes).size(), bytes);
  EXPECT_EQ(cut("abcdef", 2), "");
  EXPECT_EQ(cut("abcdef", 3), "…");
  EXPECT_EQ(cut("ab", 2), "ab");
}

TEST(Text, AnExcerptWithoutRoomCountsItsFirstPartAsLeftOut) {
  Excerpt excerpt;
  excerpt.add("the first part", 2);
  excerpt.add("the second part", 1);
  EXPECT_EQ(excerpt.within(1), "(2 more left out)");
}

}  // namespace
}  // namespace ridgeline::prompts
