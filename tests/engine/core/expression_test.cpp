#include "engine/core/expression.hpp"

#include <gtest/gtest.h>

#include "engine/core/error.hpp"

namespace ridgeline {
namespace {

double value(const std::string& text) {
  return Expression::parse(text).evaluate({{"M", 100}, {"N", 7}});
}

TEST(Expression, FollowsTheUsualPrecedence) {
  EXPECT_EQ(value("2 + 3 * 4"), 14);
  EXPECT_EQ(value("(2 + 3) * 4"), 20);
  EXPECT_EQ(value("2 ** 3 ** 2"), 512);
  EXPECT_EQ(value("-2 ** 2"), -4);
  EXPECT_EQ(value("10 - 3 - 2"), 5);
  EXPECT_EQ(value("7 / 2"), 3.5);
  EXPECT_EQ(value("7 // 2"), 3);
  EXPECT_EQ(value("-7 // 2"), -4);
  EXPECT_EQ(value("-7 % 3"), 2);
}

TEST(Expression, KnowsSizesAndFunctions) {
  EXPECT_EQ(value("2 * M * N"), 1400);
  EXPECT_EQ(value("ceil_div(M, N)"), 15);
  EXPECT_EQ(value("min(M, N) + max(M, N)"), 107);
  EXPECT_EQ(value("log2(8)"), 3);
  EXPECT_EQ(Expression::parse("M*N + M").symbols(), (std::vector<std::string>{"M", "N"}));
}

std::string error_of(const std::string& text) {
  try {
    Expression::parse(text).size({{"M", 100}});
  } catch (const BadInput& error) {
    return error.what();
  }
  return "";
}

TEST(Expression, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error_of("2 * (M"), "in the expression '2 * (M' at character 7: a ')' is missing");
  EXPECT_EQ(error_of("2 M"), "in the expression '2 M' at character 3: unexpected text");
  EXPECT_EQ(error_of("K + 1"), "the expression 'K + 1' uses 'K', which no size of the case defines");
  EXPECT_EQ(error_of("M / 3").substr(0, 32), "the expression 'M / 3' gives 33.");
  EXPECT_EQ(error_of("M // 0"), "the expression 'M // 0' divides by zero");
  EXPECT_EQ(error_of("cube(M)"),
            "in the expression 'cube(M)' at character 8: unknown function 'cube' (known: min, max, ceil_div, "
            "log2, sqrt)");
  EXPECT_EQ(error_of("0 - M"), "the expression '0 - M' gives -100, which is no size");
}

TEST(Expression, AnyTextIsReadOrRefusedWithinTheStack) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '(') + 'M' + std::string(depth, ')');
  };
  EXPECT_EQ(Expression::parse(nested(499)).size({{"M", 100}}), 100);
  for (const auto& text : {nested(200'000), std::string(200'000, '-') + "M", "M" + std::string(200'000, '+')})
    EXPECT_NE(error_of(text).find("at most 1000 are read"), std::string::npos);
}

}  // namespace
}  // namespace ridgeline
