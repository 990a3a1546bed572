#include "engine/core/kernel_name.hpp"

#include <gtest/gtest.h>

namespace ridgeline {
namespace {

TEST(KernelName, IsTheNameInTheSource) {
  EXPECT_EQ(kernel_name("_Z12softmax_rowsPKfPfll"), "softmax_rows");
  EXPECT_EQ(kernel_name("_ZN4mine6reduceI6float4Lb1EEEvPT_"), "mine::reduce<float4, true>");
  EXPECT_EQ(kernel_name("_ZN34_GLOBAL__N__07f6fa39_4_w_cu__Z1kPf2anIfLi1EEEvPT_"), "an<float, 1>");
}

TEST(KernelName, LeavesSymbolsThatAreNotMangledAlone) {
  EXPECT_EQ(kernel_name("plain"), "plain");
  EXPECT_EQ(kernel_name("f"), "f") << "as a type, \"f\" is float";
  EXPECT_EQ(kernel_name(""), "");
  EXPECT_EQ(kernel_name("_Z6reduceI"), "_Z6reduceI") << "broken off";
}

}  // namespace
}  // namespace ridgeline
