#include "engine/worker/judge/correctness/fallback.hpp"

#include <gtest/gtest.h>

namespace ridgeline::judge {
namespace {

Verdict passed() {
  Verdict verdict;
  for (const auto stage : {Stage::build, Stage::call, Stage::correctness})
    verdict.at(stage).status = Status::passed;
  return verdict;
}

TEST(Fallback, NamesOperatorsWithTheirCounts) {
  EXPECT_EQ(operators_in_words("mm 2\nrelu 1\nmylib::scan 1"), "mm (2 times), relu, mylib::scan");
  EXPECT_EQ(operators_in_words(""), "");
}

TEST(Fallback, LeavesOutTextThatIsNoOperator) {
  EXPECT_EQ(operators_in_words("mm\nrelu one\n\n 3\n<b>bold</b> 1\nmm 1\n" + std::string(70, 'a') + " 1"),
            "mm");
  std::string many;
  for (int i = 0; i < 20; ++i) many += "op" + std::to_string(i) + " 1\n";
  EXPECT_TRUE(operators_in_words(many).ends_with("op11 and 8 more"));
}

TEST(Fallback, NotesFlagsOrRejectsAsTheCampaignSays) {
  auto noted = passed(), flagged = passed(), rejected = passed(), clean = passed();
  judge_fallback(FallbackPolicy::allow, "mm", noted);
  EXPECT_TRUE(noted.correct());
  EXPECT_EQ(noted.notes.size(), 1u);
  EXPECT_TRUE(noted.suspicions().empty());

  judge_fallback(FallbackPolicy::flag, "mm", flagged);
  EXPECT_TRUE(flagged.correct());
  EXPECT_FALSE(flagged.suspicions().empty());

  judge_fallback(FallbackPolicy::reject, "mm", rejected);
  EXPECT_FALSE(rejected.correct());
  EXPECT_EQ(rejected.at(Stage::correctness).reason, Reason::falls_back);

  judge_fallback(FallbackPolicy::reject, "", clean);
  EXPECT_TRUE(clean.correct());
}

}  // namespace
}  // namespace ridgeline::judge
