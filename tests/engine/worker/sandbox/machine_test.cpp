// The probe against the machine, many starts at once, and an ordinary user instead of root.
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "engine/worker/sandbox/process_tree.hpp"
#include "sandbox_test.hpp"

namespace ridgeline::sandbox {
namespace {

TEST(Probe, AgreesWithARealStart) {
  const auto probe = probe_isolation();
  for (const Isolation level : {Isolation::standard, Isolation::strict}) {
    if (best_level(probe) >= level) {
      EXPECT_TRUE(misbehave_under(ordinary(level), {"nothing"}).ok()) << to_string(level);
    } else {
      EXPECT_FALSE(describe(probe).empty());
    }
  }
}

TEST(None, StillEnforcesLimitsAndPassesNoEnvironment) {
  auto confined = ordinary(Isolation::none);
  confined.limits.wall_seconds = 0.2;
  EXPECT_EQ(misbehave_under(confined, {"pause"}).ending, Ending::wall_limit);
#if !RIDGELINE_SANITIZED
  EXPECT_EQ(misbehave_under(ordinary(Isolation::none), {"environment"}).out, "");
#endif
}

TEST(Spawn, FromManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::vector<int> good(4, 0);
  for (std::size_t t = 0; t < good.size(); ++t)
    threads.emplace_back([&good, t] {
      for (int i = 0; i < 8; ++i) {
        const auto level = i % 2 ? Isolation::strict : Isolation::standard;
        good[t] += misbehave_under(ordinary(level), {"exit", std::to_string(i)}).code == i;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(good, std::vector<int>(4, 8));
}

TEST(Spawn, CpuTimeIsReadFromOutside) {
  auto child = spawn(ordinary(Isolation::strict), {own_program(), "--misbehave", "loop"});
  while (cpu_time(child.pid()).value_or(1) < 0.02) ASSERT_FALSE(child.step(std::chrono::milliseconds{1}));
  EXPECT_EQ(child.kill_tree().ending, Ending::killed);
  EXPECT_GT(child.wait().cpu_seconds, 0.01);
}

/// Runs the tests that matter as nobody, in a process of its own.
int as_nobody(const std::string& program, const char* filter) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    constexpr unsigned kNobody = 65534;
    if (::setresgid(kNobody, kNobody, kNobody) != 0 || ::setresuid(kNobody, kNobody, kNobody) != 0)
      ::_exit(98);
    ::execl(program.c_str(), program.c_str(), filter, "--gtest_brief=1", nullptr);
    ::_exit(97);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 256;
}

TEST(OrdinaryUser, GetsTheSameSandbox) {
  if (::geteuid() != 0) {
    SUCCEED() << "every other test already runs as an ordinary user";
    return;
  }
  ScratchFolder scratch;  // the program may lie where nobody cannot go
  std::filesystem::permissions(scratch.path(), std::filesystem::perms{0755});
  std::filesystem::copy_file(own_program(), scratch.file("tests"));
  std::filesystem::permissions(scratch.file("tests"), std::filesystem::perms{0755});
  EXPECT_EQ(as_nobody(scratch.file("tests"), "--gtest_filter=Levels/*-*ForkBomb*:Probe.*:*.FromManyThreads*"),
            0);
}

}  // namespace
}  // namespace ridgeline::sandbox
