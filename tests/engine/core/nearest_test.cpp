#include "engine/core/nearest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ridgeline {
namespace {

const std::vector<std::string> names{"models", "strategies", "seeds"};

TEST(Nearest, FindsANameByASlipOfIt) {
  EXPECT_EQ(nearest_name("strategys", names), "strategies");
  EXPECT_EQ(nearest_name("model", names), "models");
  EXPECT_EQ(nearest_name("sed", names), "seeds");
}

TEST(Nearest, FindsNoneFarFromAllNames) {
  EXPECT_EQ(nearest_name("x", names), "");
  EXPECT_EQ(nearest_name("", names), "");
}

TEST(Nearest, AWholeFileInPlaceOfANameIsPassedOver) {
  EXPECT_EQ(nearest_name(std::string(100'000'000, 'm'), names), "");
}

}  // namespace
}  // namespace ridgeline
