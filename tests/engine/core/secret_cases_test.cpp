#include "engine/core/secret_cases.hpp"

#include <gmock/gmock.h>

namespace ridgeline {
namespace {

using testing::ElementsAre;

TEST(SecretCases, AreTheHiddenAndTheFinalOnes) {
  Task task;
  task.cases.resize(3);
  task.cases[0].name = "shown";
  task.cases[1].name = "tail";
  task.cases[1].hidden = true;
  task.cases[2].name = "last";
  task.cases[2].final = true;
  EXPECT_THAT(secret_cases(task), ElementsAre("last", "tail"));
}

TEST(SecretCases, FindANameBetweenAnySigns) {
  for (const char* text : {"tail", "wrong in tail", "case `tail`: 3 elements", "(tail, edge inputs)",
                           "a,tail;b", "tail\nmore", "tail_2, tail"})
    EXPECT_TRUE(names_any(text, {"tail"})) << text;
}

// The trap of a search for parts of words: it takes harmless texts away.
TEST(SecretCases, FindNoNameInsideALongerWord) {
  EXPECT_FALSE(names_any("10 s a call, 1.5x", {"1x"}));
  EXPECT_FALSE(names_any("no answer within 10 s", {"1"}));
  EXPECT_FALSE(names_any("nan at [0, 128]", {"n", "a"}));
  EXPECT_FALSE(names_any("details of tail_2", {"tail"}));
}

// The trap of a search for words split at every sign: a name that is itself made of several parts is missed.
TEST(SecretCases, FindANameThatHoldsSigns) {
  EXPECT_TRUE(names_any("wrong in 37x129-odd.", {"37x129-odd"}));
  EXPECT_TRUE(names_any("wrong in large batch", {"large batch"}));
}

TEST(SecretCases, FindNoEmptyName) {
  EXPECT_FALSE(names_any("anything", {""}));
  EXPECT_FALSE(names_any("", {"tail"}));
  EXPECT_FALSE(names_any("anything", {}));
}

}  // namespace
}  // namespace ridgeline
