// A host that makes the reference's calls longer apart excuses as much of a candidate's, and no more.
#include "engine/worker/judge/sampling/reference_times.hpp"

#include <gtest/gtest.h>

namespace ridgeline::judge {
namespace {

TEST(ReferenceTimes, AQuietHostExcusesNothing) {
  EXPECT_FALSE(slows_apart_more_than_reference({50e-6, 48e-6}, 100e-6, 109e-6));
  EXPECT_TRUE(slows_apart_more_than_reference({50e-6, 48e-6}, 100e-6, 112e-6));
}

TEST(ReferenceTimes, WhatTheHostAddsToTheReferenceIsExcused) {
  // The reference takes 20 µs longer by itself, 1.4 times.
  EXPECT_FALSE(slows_apart_more_than_reference({50e-6, 70e-6}, 100e-6, 150e-6)) << "the share";
  EXPECT_TRUE(slows_apart_more_than_reference({50e-6, 70e-6}, 100e-6, 160e-6));
  EXPECT_FALSE(slows_apart_more_than_reference({500e-6, 520e-6}, 20e-6, 40e-6)) << "the seconds";
  EXPECT_TRUE(slows_apart_more_than_reference({500e-6, 520e-6}, 20e-6, 45e-6));
}

TEST(ReferenceTimes, WithoutTimesOfTheReferenceNothingIsExcused) {
  EXPECT_TRUE(slows_apart_more_than_reference({0, 0}, 100e-6, 112e-6));
}

}  // namespace
}  // namespace ridgeline::judge
