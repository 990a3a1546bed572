#include "engine/worker/agent/compiler_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ridgeline::agent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

TEST(CompilerBuilder, ALanguageThatCannotBePreparedKeepsNoOtherFromIt) {
  std::vector<std::string> logged;
  languages::MachineTools tools;
  tools.host.emplace();
  tools.nvcc.emplace();
  // A folder below a device: no builder can make its cache.
  CompilerBuilder builder(tools, "/none", "/dev/null/cache", 0, sandbox::Isolation::none,
                          [&](std::string line) { logged.push_back(std::move(line)); });
  builder.warm_up();
  EXPECT_THAT(logged, ElementsAre(StartsWith("cpp: headers are not read ahead"),
                                  StartsWith("cuda: headers are not read ahead")));
  EXPECT_THAT(logged.back(), HasSubstr("/dev/null/cache"));
}

}  // namespace
}  // namespace ridgeline::agent
