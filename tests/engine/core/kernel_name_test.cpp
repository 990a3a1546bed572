#include "engine/core/kernel_name.hpp"

#include <gtest/gtest.h>

#include <string>

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

/// Each level repeats the one before four times.
std::string doubled(int levels) {
  std::string symbol = "_ZN4mine1fI1aIiE";
  for (int i = 0; i < levels; ++i) {
    const auto before = "S" + std::to_string(i) + "_";
    symbol += "S_I" + before + before + before + before + "E";
  }
  return symbol + "EEvv";
}

TEST(KernelName, ASymbolThatStandsForGigabytesIsNotWrittenOut) {
  EXPECT_EQ(kernel_name(doubled(15)), "mine::f");
  EXPECT_EQ(kernel_name("_Z1fIJiiiiEEvDpDpDpDpDpDpT_"), "f") << "packs of packs";
  std::string nameless = "_Z";
  for (int i = 0; i < 30; ++i) nameless += "S_";
  EXPECT_EQ(kernel_name(nameless), nameless);
}

TEST(KernelName, ALongNameOfManyNamespacesKeepsThem) {
  std::string symbol = "_ZN7cutlass12_GLOBAL__N_113device_kernelINS_4gemmE";
  for (int i = 0; i < 30; ++i) symbol += "NS_1CE";
  EXPECT_EQ(kernel_name(symbol + "EEvT_"), "cutlass::device_kernel");
}

}  // namespace
}  // namespace ridgeline
