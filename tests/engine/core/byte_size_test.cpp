#include "engine/core/byte_size.hpp"

#include <gtest/gtest.h>

namespace ridgeline {
namespace {

TEST(ByteSize, IsAWholeNumberWithAUnit) {
  EXPECT_EQ(byte_size("24GiB"), 24ULL << 30);
  EXPECT_EQ(byte_size("512MiB"), 512ULL << 20);
  EXPECT_EQ(byte_size("24GB"), 24'000'000'000ULL);
  EXPECT_EQ(byte_size("7MB"), 7'000'000ULL);
  EXPECT_EQ(byte_size("5B"), 5ULL);
}

TEST(ByteSize, IsNothingElse) {
  for (const auto* text : {"", "24", "GiB", "1.5GiB", "-1GiB", "0GiB", "24 GiB", "24gib", "24GiBs",
                           "99999999999999999999GiB", "9999999999GiB"})
    EXPECT_FALSE(byte_size(text)) << text;
}

}  // namespace
}  // namespace ridgeline
