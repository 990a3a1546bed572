#include "engine/posix/child_exit.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace ridgeline::posix {
namespace {

TEST(ChildExit, ReadsWaitpidsStatus) {
  EXPECT_EQ(exit_of_status(0), (ChildExit{false, 0}));
  EXPECT_EQ(exit_of_status(3 << 8), (ChildExit{false, 3}));
  EXPECT_EQ(exit_of_status(SIGKILL), (ChildExit{true, SIGKILL}));
}

TEST(ChildExit, ReadsWaitidsReport) {
  siginfo_t info{};
  info.si_code = CLD_EXITED;
  info.si_status = 3;
  EXPECT_EQ(exit_of(info), (ChildExit{false, 3}));
  info.si_status = SIGSEGV;
  for (const int code : {CLD_KILLED, CLD_DUMPED}) {
    info.si_code = code;
    EXPECT_EQ(exit_of(info), (ChildExit{true, SIGSEGV}));
  }
}

TEST(ChildExit, IsSaidInWords) {
  EXPECT_EQ(describe({false, 3}), "exit status 3");
  EXPECT_EQ(describe({true, 9}), "killed by signal 9");
  EXPECT_EQ(describe({true, 9, "60 s"}), "killed by signal 9 at its limit of 60 s");
}

TEST(ChildExit, IsOkOnlyWithStatusZeroAndNoLimit) {
  EXPECT_TRUE(ChildExit{}.ok());
  EXPECT_FALSE((ChildExit{false, 1}).ok());
  EXPECT_FALSE((ChildExit{true, 0}).ok());
  EXPECT_FALSE((ChildExit{false, 0, "1 MiB of output"}).ok());
}

}  // namespace
}  // namespace ridgeline::posix
