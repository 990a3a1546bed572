#include "engine/worker/sandbox/seccomp_builder.hpp"

#include <gtest/gtest.h>

#include "engine/core/error.hpp"

namespace ridgeline::sandbox::seccomp {
namespace {

bool compares_with(const Program& program, std::uint32_t number) {
  for (const auto& instruction : program)
    if (BPF_CLASS(instruction.code) == BPF_JMP && instruction.k == number) return true;
  return false;
}

TEST(SeccompBuilder, ACallThatNobodyKnowsIsNotSkipped) {
  Builder filter{SCMP_ACT_ALLOW};
  EXPECT_THROW(filter.rule(SCMP_ACT_KILL_PROCESS, "no_such_call"), MachineCannot);
}

TEST(SeccompBuilder, ACallNewerThanLibseccompIsTakenByItsNumber) {
  Builder filter{SCMP_ACT_ALLOW};
  filter.rule(SCMP_ACT_KILL_PROCESS, "open_tree_attr");
  EXPECT_TRUE(compares_with(filter.finish(), 467));
}

}  // namespace
}  // namespace ridgeline::sandbox::seccomp
