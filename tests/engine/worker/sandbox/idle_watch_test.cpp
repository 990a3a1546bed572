#include "engine/worker/sandbox/idle_watch.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "engine/worker/sandbox/process_tree.hpp"

namespace ridgeline::sandbox {
namespace {

/// A watch with a limit of 20 s measured every 0.5 s, of a child that has used 3 s of CPU time.
class IdleWatchTest : public testing::Test {
 protected:
  static IdleWatch watch_of(std::optional<double> limit, bool sees_children) {
    return IdleWatch(limit, 0.5, sees_children, at(0));
  }
  static IdleWatch::Clock::time_point at(double seconds) {
    return IdleWatch::Clock::time_point{} +
           std::chrono::duration_cast<IdleWatch::Clock::duration>(IdleWatch::Seconds{seconds});
  }
  /// Measures every half second after `begin` until `end`. Returns whether a measurement saw the limit
  /// passed.
  static bool exceeded_between(IdleWatch& watch, double begin, double end, double cpu_seconds = 3) {
    bool exceeded = false;
    for (double time = begin + 0.5; time <= end; time += 0.5)
      exceeded = watch.exceeded(at(time), cpu_seconds) || exceeded;
    return exceeded;
  }
};

TEST_F(IdleWatchTest, ReportsAChildWhoseCpuTimeStandsStill) {
  auto watch = watch_of(20, true);
  EXPECT_FALSE(exceeded_between(watch, 0, 20.5));  // the first measurement saw work
  EXPECT_TRUE(exceeded_between(watch, 20.5, 21));
}

TEST_F(IdleWatchTest, CountsAnyChangeOfCpuTimeAsWork) {
  auto watch = watch_of(20, true);
  EXPECT_FALSE(exceeded_between(watch, 0, 15, 3));
  EXPECT_FALSE(exceeded_between(watch, 15, 30, 1));  // a process of the tree ended
}

TEST_F(IdleWatchTest, DoesNotCountATimeInWhichTheWorkerItselfWasStopped) {
  auto watch = watch_of(20, true);
  EXPECT_FALSE(exceeded_between(watch, 0, 15));
  EXPECT_FALSE(watch.exceeded(at(600), 3));
  EXPECT_FALSE(exceeded_between(watch, 600, 620));
  EXPECT_TRUE(exceeded_between(watch, 620, 620.5));
}

TEST_F(IdleWatchTest, CountsATimeInWhichABusyMachineDelayedTheWorker) {
  auto watch = watch_of(20, true);
  EXPECT_FALSE(exceeded_between(watch, 0, 19.5));
  EXPECT_TRUE(watch.exceeded(at(20.9), 3));
}

TEST_F(IdleWatchTest, ReportsNothingWithoutALimit) {
  auto watch = watch_of(std::nullopt, true);
  EXPECT_FALSE(exceeded_between(watch, 0, 1000));
}

TEST_F(IdleWatchTest, ReportsNothingWhereChildrenCannotBeSeen) {
  auto watch = watch_of(20, false);
  EXPECT_FALSE(exceeded_between(watch, 0, 1000));
}

TEST(SeesChildren, SaysWhetherATreeIsMeasuredWhole) {
  const pid_t child = ::fork();
  if (child == 0)
    while (true) ::pause();
  const auto processes = measure_tree(::getpid(), 100).processes;
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(sees_children(), processes > 1);
}

}  // namespace
}  // namespace ridgeline::sandbox
