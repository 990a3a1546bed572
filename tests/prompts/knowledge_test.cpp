// Retrieval from a corpus, by figures worked out by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/error.hpp"
#include "prompts/knowledge_digest.hpp"
#include "prompts/text.hpp"
#include "prompts/token_budget.hpp"
#include "tests/prompts/fixtures.hpp"

namespace ridgeline::prompts {
namespace {

using testing::evaluated;
using testing::holds;

using Words = std::vector<std::string>;

KnowledgeIndex index_of(std::vector<KnowledgeFile> files) {
  return KnowledgeIndex(Language::cpp, std::move(files));
}

TEST(CodeWords, AreIdentifiersSplitAndInLowerCase) {
  EXPECT_EQ(code_words("onlineSoftmax(row_max, __m256 v)"),
            (Words{"online", "softmax", "row", "max", "m256", "v"}));
  EXPECT_EQ(code_words("HTTPServer useAVX2"), (Words{"http", "server", "use", "avx2"}));
  EXPECT_EQ(code_words("_mm256_fmadd_ps(a, 1.5f, 0x1F)"), (Words{"mm256", "fmadd", "ps", "a"}));
  EXPECT_EQ(code_words("größe 1024"), (Words{"gr", "e"}));
  EXPECT_TRUE(code_words("").empty());
}

TEST(KnowledgeIndex, ScoresByOkapiBm25) {
  // Lengths 4 and 2, mean 3. "max" stands in both, twice in the first; "tile" in the second alone.
  const auto index = index_of({{"a", "max max row sum"}, {"b", "max tile"}});
  const double idf_of_both = std::log(1 + 0.5 / 2.5), idf_of_one = std::log(1 + 1.5 / 1.5);
  const auto weight = [](double count, double length) {
    return count * 2.5 / (count + 1.5 * (0.25 + 0.75 * length / 3));
  };
  const auto scores = index.scores("tile max max");
  ASSERT_EQ(scores.size(), 2u);
  EXPECT_NEAR(scores[0], 2 * idf_of_both * weight(2, 4), 1e-12);
  EXPECT_NEAR(scores[1], 2 * idf_of_both * weight(1, 2) + idf_of_one * weight(1, 2), 1e-12);
  EXPECT_EQ(index.nearest("tile max max")->name, "b");
}

TEST(KnowledgeIndex, CountsAWordOfTheQueryAsOftenAsItOccurs) {
  const auto index = index_of({{"a", "row sum"}, {"b", "tile sum"}});
  EXPECT_NEAR(index.scores("row row row")[0], 3 * index.scores("row")[0], 1e-12);
}

TEST(KnowledgeIndex, PicksTheFirstOfEqualsAndNoneWithoutACommonWord) {
  const auto index = index_of({{"a", "row sum"}, {"b", "row sum"}, {"c", ""}});
  EXPECT_EQ(index.nearest("sum")->name, "a");
  EXPECT_EQ(index.nearest("tile 42 +"), nullptr);
  EXPECT_EQ(index_of({{"a", ""}}).nearest("sum"), nullptr);
}

class Digest : public ::testing::Test {
 protected:
  Task task = testing::softmax_task();
  KnowledgeIndex index = index_of({{"norms/layer.cpp", "float mean = sum / n;\n"},
                                   {"rows/online.cpp", "// softmax in one pass\nfloat row_max;\n"}});
};

TEST_F(Digest, TheQueryIsTheCandidateOrTheTask) {
  const auto by_task = knowledge_digest({nullptr}, task, index, 500);
  EXPECT_TRUE(holds(by_task, "`rows/online.cpp`")) << by_task;
  EXPECT_TRUE(holds(by_task, "most like this task"));
  EXPECT_TRUE(holds(by_task, "```cpp\n// softmax in one pass\nfloat row_max;\n```"));
  const auto by_code = knowledge_digest({evaluated("float mean = 0;", Verdict{})}, task, index, 500);
  EXPECT_TRUE(holds(by_code, "`norms/layer.cpp`")) << by_code;
  EXPECT_TRUE(holds(by_code, "most like this kernel"));
}

TEST_F(Digest, SaysNothingWhereNothingIsNear) {
  EXPECT_EQ(knowledge_digest({evaluated("quux()", Verdict{})}, task, index, 500), "");
}

TEST_F(Digest, KeepsItsBudgetInWholeLines) {
  std::string text = "softmax\n\n";
  for (int i = 0; i < 2000; ++i) text += "line_" + std::to_string(i) + ";\n";
  const auto digest = knowledge_digest({nullptr}, task, index_of({{"long.cpp", text}}), 300);
  EXPECT_LE(estimate_tokens(digest), 300 + 8) << "the fence apart";
  EXPECT_TRUE(holds(digest, "softmax\n\nline_0;\n"));
  EXPECT_TRUE(holds(digest, " more lines)\n```"));
}

TEST_F(Digest, AFileCannotCloseItsFence) {
  const auto digest =
      knowledge_digest({nullptr}, task, index_of({{"a`.cpp", "// softmax\n```\nint x;\n"}}), 500);
  EXPECT_TRUE(holds(digest, "````cpp\n// softmax\n```\nint x;\n````")) << digest;
}

}  // namespace
}  // namespace ridgeline::prompts
