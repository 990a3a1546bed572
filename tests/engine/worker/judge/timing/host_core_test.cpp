// Which core a module is timed on, on the cores that this machine has.
#include "engine/worker/judge/timing/host_core.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <future>
#include <memory>
#include <thread>

#include "engine/core/available_cpus.hpp"

namespace ridgeline::judge {
namespace {

TEST(HostCore, TheFastestCoreIsOneOfTheGivenAndTheCallerReturnsToItsCores) {
  const auto before = available_cpus();
  ASSERT_FALSE(before.empty());
  const auto fastest = fastest_core(before);
  ASSERT_TRUE(fastest);
  EXPECT_NE(std::find(before.begin(), before.end(), *fastest), before.end());
  EXPECT_EQ(available_cpus(), before);
  EXPECT_EQ(fastest_core({before.back()}), before.back());
}

TEST(HostCore, ACoreThatDoesNotExistIsNotChosen) {
  EXPECT_EQ(fastest_core({CPU_SETSIZE - 1}), std::nullopt);
}

TEST(HostCore, ACoreIsClaimedOnceUntilItIsGivenBack) {
  const int core = CPU_SETSIZE + ::getpid();  // that no judge of this machine claims meanwhile
  auto claim = CoreClaim::take(core);
  ASSERT_TRUE(claim);
  EXPECT_FALSE(CoreClaim::take(core));
  EXPECT_TRUE(CoreClaim::take(-core)) << "another one is free";
  claim.reset();
  EXPECT_TRUE(CoreClaim::take(core)) << "given back";
}

TEST(HostCore, TwoJudgesChooseDifferentCores) {
  if (available_cpus().size() < 2) {
    SharedCore single;
    single.move({});
    EXPECT_FALSE(single.core()) << "the judge would have no core";
    return;
  }
  SharedCore first, other;
  std::promise<void> claimed;
  std::thread another([&] {  // it may still use all cores, as another process may
    claimed.get_future().wait();
    other.move({});
  });
  first.move({});
  claimed.set_value();
  another.join();
  EXPECT_NE(first.core().value(), other.core().value());
}

TEST(HostCore, OnCoresRestoresTheCallersCores) {
  const auto before = available_cpus();
  {
    const OnCores there({before.front()});
    EXPECT_EQ(available_cpus(), std::vector{before.front()});
  }
  EXPECT_EQ(available_cpus(), before);
}

TEST(HostCore, ASharedCoreIsLeftToTheMovedProcessesUntilItIsGivenBack) {
  const auto before = available_cpus();
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    for (;;) ::pause();
  }
  const std::shared_ptr<void> ended(nullptr, [child](void*) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  });
  {
    SharedCore shared;
    shared.move({child, -1});
    cpu_set_t set;
    EXPECT_EQ(::sched_getaffinity(child, sizeof set, &set), 0);
    if (before.size() < 2) {
      EXPECT_FALSE(shared.core()) << "the judge would have no core";
      EXPECT_EQ(CPU_COUNT(&set), static_cast<int>(before.size()));
    } else {
      EXPECT_EQ(CPU_COUNT(&set), 1);
      EXPECT_TRUE(CPU_ISSET(static_cast<std::size_t>(shared.core().value()), &set));
      EXPECT_EQ(available_cpus().size(), before.size() - 1);
    }
    shared.give_back();
    EXPECT_EQ(::sched_getaffinity(child, sizeof set, &set), 0);
    EXPECT_EQ(CPU_COUNT(&set), static_cast<int>(before.size()));
    EXPECT_EQ(available_cpus(), before);
    shared.move({child});
  }
  EXPECT_EQ(available_cpus(), before);
}

}  // namespace
}  // namespace ridgeline::judge
