// The room's test program: also the child that its tests confine (misbehave.hpp).
#include <gtest/gtest.h>

#include <cstdio>
#include <string_view>

#include "misbehave.hpp"

int main(int argc, char** argv) {
  if (argc > 2 && std::string_view{argv[1]} == "--misbehave") {
    const int status = ridgeline::misbehave::run(argc - 2, argv + 2);
    if (status < 0) std::fprintf(stderr, "no danger is called %s\n", argv[2]);
    return status < 0 ? 99 : status;
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
