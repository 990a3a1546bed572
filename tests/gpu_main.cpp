// main of the test programs that need a GPU: without one they end at once, with the reason, and skip nothing.
#include <gtest/gtest.h>

#include <cstdio>

#include "engine/core/error.hpp"
#include "engine/cuda/device.hpp"

int main(int count, char** words) {
  testing::InitGoogleTest(&count, words);
  try {
    if (!GTEST_FLAG_GET(list_tests)) ridgeline::cuda::device_facts(0);
  } catch (const ridgeline::MachineCannot& error) {
    std::fprintf(stderr, "%s: no GPU: %s\n", words[0], error.what());
    return error.exit_code();
  }
  return RUN_ALL_TESTS();
}
