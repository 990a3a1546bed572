#include <gtest/gtest.h>

#include "engine/core/roofline.hpp"

namespace ridgeline {
namespace {

TEST(Ceilings, ProductsOfFloat32MayBePutTogetherFromHalvesOnATensorPipe) {
  Ceilings card;
  card.peaks = {{"fp32", 50e12}, {"tf32", 400e12}, {"fp16", 800e12}, {"fp64", 25e12}};
  EXPECT_EQ(card.peak_for(DType::float32), 50e12);
  EXPECT_EQ(card.fastest_for(DType::float32), 400e12) << "two halves at least for each";
  EXPECT_EQ(card.fastest_for(DType::float64), 25e12);
  EXPECT_EQ(card.fastest_for(DType::float16), 800e12);

  Ceilings core;
  core.peaks = {{"fp32", 60e9}, {"int8", 200e9}};
  EXPECT_EQ(core.fastest_for(DType::float32), 60e9);
}

}  // namespace
}  // namespace ridgeline
