// The kernel counts how long a thread waits for a core that it shares.
#include "profiler/process_clock.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

namespace ridgeline::profiler {
namespace {

void spin_for(double seconds) {
  for (const double begin = wall_seconds(); wall_seconds() - begin < seconds;) {
  }
}

TEST(ProcessClock, CountsSharingACoreAsWaiting) {
  cpu_set_t before, one;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  const pid_t other = ::fork();  // on the same core
  ASSERT_GE(other, 0);
  if (other == 0) {
    for (;;) spin_for(1);
  }
  const double ours = waited_for_core(0), theirs = waited_for_core(other);
  spin_for(0.3);
  const double our_wait = waited_for_core(0) - ours, their_wait = waited_for_core(other) - theirs;
  ::kill(other, SIGKILL);
  ::waitpid(other, nullptr, 0);
  ::sched_setaffinity(0, sizeof before, &before);
  if (!std::filesystem::exists("/proc/self/schedstat")) GTEST_SKIP() << "this kernel does not count it";
  EXPECT_GT(our_wait, 0.02);
  EXPECT_GT(their_wait, 0.02);
}

TEST(ProcessClock, CountsNothingForAProcessThatDoesNotExist) {
  EXPECT_EQ(waited_for_core(1 << 30), 0);
}

}  // namespace
}  // namespace ridgeline::profiler
