#include "tests/bench/adversary/options.hpp"

#include <gtest/gtest.h>

#include "engine/core/error.hpp"

namespace ridgeline::bench {
namespace {

TEST(AdversaryOptions, WithoutWordsEveryLanguageIsJudgedOnce) {
  const auto options = read_adversary_options({}, false);
  EXPECT_EQ(options.languages, (std::set<std::string>{"cpp", "cuda", "python", "triton"}));
  EXPECT_EQ(options.repeat, 1);
  EXPECT_TRUE(options.chooses("cpp", "wrong", "zeros"));
}

TEST(AdversaryOptions, TheShortFormJudgesTheCheapestLanguageUnlessOthersAreNamed) {
  EXPECT_EQ(read_adversary_options({}, true).languages, std::set<std::string>{"cpp"});
  EXPECT_EQ(read_adversary_options({"--language", "python"}, true).languages,
            std::set<std::string>{"python"});
}

TEST(AdversaryOptions, LanguagesMayBeNamedOneAfterTheOther) {
  const auto options =
      read_adversary_options({"--language", "cuda", "--repeat", "20", "--language", "triton"}, false);
  EXPECT_EQ(options.languages, (std::set<std::string>{"cuda", "triton"}));
  EXPECT_EQ(options.repeat, 20);
}

TEST(AdversaryOptions, ChoosesByAnyPartOfLanguageClassAndName) {
  EXPECT_TRUE(read_adversary_options({"--only", "a/wrong/z"}, false).chooses("cuda", "wrong", "zeros"));
  EXPECT_FALSE(read_adversary_options({"--only", "a/wrong/z"}, false).chooses("cuda", "wrong", "misses"));
}

TEST(AdversaryOptions, WordsThatMeanNothingAreRefused) {
  using Words = std::vector<std::string>;
  for (const auto& words : {Words{"--fast"}, Words{"--language", "rust"}, Words{"--repeat", "0"},
                            Words{"--repeat", "2x"}, Words{"--only"}})
    EXPECT_THROW(read_adversary_options(words, false), BadInput) << words.front();
}

}  // namespace
}  // namespace ridgeline::bench
