// Refusals say the flag and what to write in its place.
#include "engine/worker/languages/flags/refused_flag.hpp"

#include <gmock/gmock.h>

namespace ridgeline::languages {
namespace {

using testing::HasSubstr;

TEST(RefusedFlag, IsNamedWithItsRepair) {
  EXPECT_EQ(refusal_of("-std=gnu++17", true),
            "the compiler flag -std=gnu++17 is not allowed; nvcc takes c++11, c++14, c++17 and c++20");
  EXPECT_THAT(refusal_of("-ffast-math", true), HasSubstr("--use_fast_math"));
  EXPECT_THAT(refusal_of("-march=native", true), HasSubstr("-Xcompiler="));
  EXPECT_THAT(refusal_of("-dc", true), HasSubstr("-rdc=true"));
  EXPECT_THAT(refusal_of("-I/root", true), HasSubstr("headers"));
  EXPECT_THAT(refusal_of("-lsecret", false), HasSubstr("-lcublas"));
  EXPECT_THAT(refusal_of("-Wl,-rpath=/tmp", false), HasSubstr("linker"));
}

TEST(RefusedFlag, IsCutWhereItIsTooLong) {
  const auto said = refusal_of("-D" + std::string(1'000'000, 'x'), true);
  EXPECT_THAT(said, HasSubstr("at most 1024 characters"));
  EXPECT_LT(said.size(), 300u);
}

TEST(RefusedFlag, WhatNobodyKnowsIsToBeLeftOut) {
  EXPECT_EQ(refusal_of("--run", true), "the compiler flag --run is not allowed; leave it out");
  EXPECT_EQ(refusal_of("-fplugin=x.so", false),
            "the compiler flag -fplugin=x.so is not allowed; leave it out");
}

}  // namespace
}  // namespace ridgeline::languages
