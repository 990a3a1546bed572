// Which core a module is timed on, on the cores that this machine has.
#include "engine/worker/judge/host_core.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "engine/core/available_cpus.hpp"

namespace ridgeline::judge {
namespace {

TEST(HostCore, TheQuickestIsOneOfThoseThatMayBeVisitedAndTheCallerComesBack) {
  const auto before = available_cpus();
  ASSERT_FALSE(before.empty());
  const auto quickest = quickest_core(before);
  ASSERT_TRUE(quickest);
  EXPECT_NE(std::find(before.begin(), before.end(), *quickest), before.end());
  EXPECT_EQ(available_cpus(), before);
  EXPECT_EQ(quickest_core({before.back()}), before.back());
}

TEST(HostCore, ACoreThatIsNotThereIsNone) {
  EXPECT_EQ(quickest_core({CPU_SETSIZE - 1}), std::nullopt);
}

TEST(HostCore, OnCoresGivesBack) {
  const auto before = available_cpus();
  {
    const OnCores there({before.front()});
    EXPECT_EQ(available_cpus(), std::vector{before.front()});
  }
  EXPECT_EQ(available_cpus(), before);
}

TEST(HostCore, SharedItIsTheProcessesAlone) {
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
    if (before.size() < 4) {
      EXPECT_FALSE(shared.core()) << "builds may run on each of so few";
      EXPECT_EQ(CPU_COUNT(&set), static_cast<int>(before.size()));
    } else {
      EXPECT_EQ(CPU_COUNT(&set), 1);
      EXPECT_TRUE(CPU_ISSET(static_cast<std::size_t>(shared.core().value()), &set));
      EXPECT_EQ(available_cpus().size(), before.size() - 1);
    }
  }
  EXPECT_EQ(available_cpus(), before);
}

}  // namespace
}  // namespace ridgeline::judge
