#include "engine/core/short_number.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace ridgeline {
namespace {

TEST(ShortNumber, HasThreeDigitsAndNoExponentWherePeopleReadIt) {
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(0.2604), "0.26");
  EXPECT_EQ(short_number(12.34), "12.3");
  EXPECT_EQ(short_number(-12.34), "-12.3");
  EXPECT_EQ(short_number(999.4), "999");
  EXPECT_EQ(short_number(999.5), "1000");
  EXPECT_EQ(short_number(-999.6), "-1000");
  EXPECT_EQ(short_number(4800), "4800");
  EXPECT_EQ(short_number(989123), "989123");
  EXPECT_EQ(short_number(1e300), "1e+300");
  EXPECT_EQ(short_number(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(short_number(std::numeric_limits<double>::quiet_NaN()), "nan");
}

}  // namespace
}  // namespace ridgeline
