// The room's test program: also the counting runner that lies to its judge (lying_runner.hpp).
#include <gtest/gtest.h>

#include <string_view>

#include "tests/engine/worker/judge/lying_runner.hpp"

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view{argv[1]}.starts_with(ridgeline::lying_word))
    return ridgeline::lie(std::string_view{argv[1]}.substr(ridgeline::lying_word.size()));
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
