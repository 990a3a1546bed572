#include "engine/verifier/pattern.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "engine/verifier/random.hpp"

namespace ridgeline::verifier {
namespace {

/// A 20 by 32 output whose values `change` spoils.
class Patterns : public testing::Test {
 protected:
  static constexpr std::int64_t rows = 20, columns = 32;

  Patterns() : expected(rows * columns), tolerance(rows * columns, 1e-3) {
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = 0.5 + Random(1, 1).unit(i);
    got = expected;
  }

  using Change = std::function<void(std::int64_t r, std::int64_t c, double& value)>;
  Finding classify_after(const Change& change) {
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c) change(r, c, got[static_cast<std::size_t>(r * columns + c)]);
    std::vector<std::uint8_t> wrong;
    for (std::size_t i = 0; i < got.size(); ++i)
      wrong.push_back(std::fabs(got[i] - expected[i]) <= tolerance[i] ? 0 : 1);
    unwritten.resize(got.size());
    return classify({rows, columns, expected, got, tolerance, wrong, unwritten, rows});
  }
  double at(std::int64_t r, std::int64_t c) const {
    return expected[static_cast<std::size_t>(r * columns + c)];
  }

  std::vector<double> expected, tolerance, got;
  std::vector<std::uint8_t> unwritten;
};

TEST_F(Patterns, RecognizesElementsThatWereNotWritten) {
  unwritten.assign(expected.size(), 0);
  for (std::size_t i = 600; i < unwritten.size(); ++i) unwritten[i] = 1;
  const auto found = classify_after([](auto r, auto c, double& v) {
    if (r * columns + c >= 600) v = std::nan("");
  });
  EXPECT_EQ(found.pattern, Pattern::not_written);
  EXPECT_EQ(found.detail, "40 of 640 elements were never written, the first at 600");
}

TEST_F(Patterns, RecognizesAllZeros) {
  EXPECT_EQ(classify_after([](auto, auto, double& v) { v = 0; }).pattern, Pattern::all_zero);
}

TEST_F(Patterns, RecognizesAConstant) {
  EXPECT_EQ(classify_after([](auto, auto, double& v) { v = 3; }).pattern, Pattern::constant);
}

TEST_F(Patterns, RecognizesNonFiniteValues) {
  const auto found = classify_after([](auto r, auto c, double& v) {
    if ((r + c) % 3 == 0) v = std::numeric_limits<double>::infinity();
  });
  EXPECT_EQ(found.pattern, Pattern::not_finite);
}

TEST_F(Patterns, RecognizesAShift) {
  const auto found =
      classify_after([&](auto r, auto c, double& v) { v = at(r, (c + columns - 3) % columns); });
  EXPECT_EQ(found.pattern, Pattern::shifted);
  EXPECT_EQ(found.detail, "the right values, 3 to the right along the last axis");
}

TEST_F(Patterns, RecognizesATransposedMatrix) {
  const auto found = classify_after([&](auto r, auto c, double& v) {
    const auto flat = r * columns + c;
    v = at(flat % rows, flat / rows);
  });
  EXPECT_EQ(found.pattern, Pattern::transposed);
}

TEST_F(Patterns, RecognizesRightValuesInWrongPlaces) {
  const auto found =
      classify_after([&](auto r, auto c, double& v) { v = at((r * 7 + c) % rows, (c * 3) % columns); });
  EXPECT_EQ(found.pattern, Pattern::permuted);
  EXPECT_EQ(found.detail.substr(found.detail.find(" of ")), " of 640 in wrong places");
  got = expected;
  const auto some_twice =
      classify_after([&](auto r, auto c, double& v) { v = at((r * 7 + c) % rows, (c * 2) % columns); });
  EXPECT_EQ(some_twice.pattern, Pattern::scattered);
}

TEST_F(Patterns, OtherDrawsOfTheSameNumbersAreNotPermuted) {
  for (auto& allowed : tolerance) allowed = 0.02;  // so loose that sorted draws agree
  std::size_t i = 1000;
  const auto found = classify_after([&](auto, auto, double& v) { v = 0.5 + Random(1, 2).unit(i++); });
  EXPECT_EQ(found.pattern, Pattern::scattered);
}

TEST_F(Patterns, RecognizesTheTailOfTheBuffer) {
  const auto found = classify_after([](auto r, auto c, double& v) {
    if (r * columns + c >= 512) v = -1;
  });
  EXPECT_EQ(found.pattern, Pattern::tail);
  EXPECT_EQ(found.detail, "elements >= 512 of 640");
}

TEST_F(Patterns, RecognizesTheTailOfEveryRow) {
  const auto found = classify_after([](auto, auto c, double& v) {
    if (c >= 24) v = 9;
  });
  EXPECT_EQ(found.pattern, Pattern::tail);
  EXPECT_EQ(found.detail, "columns >= 24 of every row (32 columns)");
}

TEST_F(Patterns, RecognizesTheHeadOfTheBuffer) {
  const auto found = classify_after([](auto r, auto c, double& v) {
    if (r * columns + c < 7) v = 9;
  });
  EXPECT_EQ(found.pattern, Pattern::head);
  EXPECT_EQ(found.detail, "elements <= 6 of 640");
}

TEST_F(Patterns, NeitherTailNorHeadIsMoreThanHalf) {
  const auto most = [](auto r, auto c, double& v) {
    if (r * columns + c >= 10) v = 9 + static_cast<double>(r);
  };
  EXPECT_EQ(classify_after(most).pattern, Pattern::scattered);
  got = expected;
  const auto all_but_the_last = [](auto r, auto c, double& v) {
    if (r * columns + c < 639) v = static_cast<double>(r * c);
  };
  EXPECT_EQ(classify_after(all_but_the_last).pattern, Pattern::scattered);
}

TEST_F(Patterns, RecognizesABorder) {
  const auto found = classify_after([](auto r, auto c, double& v) {
    if (r < 2 || r >= rows - 2 || c < 2 || c >= columns - 2)
      v *= 1 + 0.1 * static_cast<double>(1 + (r + c) % 3);
  });
  EXPECT_EQ(found.pattern, Pattern::border);
  EXPECT_EQ(found.detail, "only elements within 2 of the edges of each 20 by 32 plane");
}

TEST_F(Patterns, RecognizesWholeRows) {
  const auto found = classify_after([](auto r, auto, double& v) {
    if (r == 3 || r == 11) v = 9;
  });
  EXPECT_EQ(found.pattern, Pattern::rows);
  EXPECT_EQ(found.detail, "rows 3, 11: 2 of 20");
}

TEST_F(Patterns, RecognizesWholeColumns) {
  const auto found = classify_after([](auto, auto c, double& v) {
    if (c >= 4 && c <= 6) v = 9;
  });
  EXPECT_EQ(found.pattern, Pattern::columns);
  EXPECT_EQ(found.detail, "columns 4..6 of 32");
}

TEST_F(Patterns, RecognizesATile) {
  const auto found = classify_after([](auto r, auto c, double& v) {
    if (r >= 4 && r < 8 && c >= 16 && c < 24) v = 9;
  });
  EXPECT_EQ(found.pattern, Pattern::tile);
  EXPECT_EQ(found.detail, "rows 4..7 by columns 16..23 of 20 by 32");
}

TEST_F(Patterns, RecognizesAConstantFactor) {
  const auto found = classify_after([](auto, auto, double& v) { v *= 2; });
  EXPECT_EQ(found.pattern, Pattern::scaled);
  EXPECT_EQ(found.detail, "every value is 2 times the right one");
}

TEST_F(Patterns, RecognizesLowerPrecision) {
  const auto found = classify_after([](auto r, auto c, double& v) { v *= (r + c) % 2 == 0 ? 1.004 : 0.996; });
  EXPECT_EQ(found.pattern, Pattern::precision);
}

TEST_F(Patterns, ExactOutputsHaveNoPrecision) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = got[i] = static_cast<double>(100 + i * 31 % 57);
  for (auto& allowed : tolerance) allowed = 0;
  const auto found = classify_after([](auto r, auto c, double& v) {
    if ((r * 7 + c * 13) % 11 == 0) v += 1;
  });
  EXPECT_EQ(found.pattern, Pattern::scattered);
}

TEST(PatternOfOneNumber, IsTheFactorByWhichItIsOff) {
  const std::vector<double> expected{4}, got{3}, tolerance{1e-3};
  const std::vector<std::uint8_t> wrong{1}, unwritten{0};
  const auto found = classify({1, 1, expected, got, tolerance, wrong, unwritten});
  EXPECT_EQ(found.pattern, Pattern::scattered);
  EXPECT_EQ(found.detail, "the only element, 0.75 times the right one");
}

TEST_F(Patterns, CallsEverythingElseScattered) {
  const auto found = classify_after([](auto r, auto c, double& v) {
    if ((r * 7 + c * 13) % 11 == 0) v += 1;
  });
  EXPECT_EQ(found.pattern, Pattern::scattered);
}

}  // namespace
}  // namespace ridgeline::verifier
