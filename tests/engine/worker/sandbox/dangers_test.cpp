// One tiny misbehaving program for each danger, in every level that confines.
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

#include "engine/core/file_descriptor.hpp"
#include "sandbox_test.hpp"

namespace ridgeline::sandbox {
namespace {

using misbehave::kRefused;

INSTANTIATE_TEST_SUITE_P(Levels, Sandbox, testing::Values(Isolation::strict, Isolation::standard),
                         isolation_name);

void expect_refused(const ConfinedExit& exit) {
  EXPECT_EQ(exit.ending, Ending::exited) << describe(exit) << exit.err;
  EXPECT_EQ(exit.code, kRefused) << exit.err;
}
void expect_sigsys(const ConfinedExit& exit) {
  EXPECT_EQ(exit.ending, Ending::refused_syscall) << describe(exit) << exit.err;
}

TEST_P(Sandbox, HonestProgramRunsAndItsStatusIsReported) {
  const auto exit = misbehave_under(policy(), {"exit", "7"});
  EXPECT_EQ(exit.ending, Ending::exited) << exit.err;
  EXPECT_EQ(exit.code, 7);
  EXPECT_GT(exit.cpu_seconds, 0);
}

TEST_P(Sandbox, ForkBombIsStopped) {
  auto confined = policy();
  confined.limits.processes = 20;
  EXPECT_EQ(misbehave_under(confined, {"fork_bomb"}).ending, Ending::process_limit);
}

#if !RIDGELINE_SANITIZED
TEST_P(Sandbox, HugeAllocationFails) {
  auto confined = policy();
  confined.limits.data = 256 << 20;
  expect_refused(misbehave_under(confined, {"allocate"}));
}
#endif

TEST_P(Sandbox, SharedMemoryBeyondTheWatchedLimitIsStopped) {
  auto confined = policy();
  confined.limits.resident = 128 << 20;
  const auto exit = misbehave_under(confined, {"touch"});
  EXPECT_EQ(exit.ending, Ending::memory_limit) << describe(exit);
  EXPECT_GT(exit.peak_resident, 128u << 20);
}

TEST_P(Sandbox, GrantedSharedMemoryDoesNotCountTowardsTheLimit) {
  auto confined = policy();
  confined.limits.resident = 128 << 20;
  const auto exit = misbehave_under(confined, {"touch"}, {}, /*granted=*/512 << 20);
  EXPECT_EQ(exit.ending, Ending::memory_limit) << describe(exit);
  EXPECT_GT(exit.peak_resident, 640u << 20);
}

TEST_P(Sandbox, EndlessLoopIsStoppedAtItsCpuLimit) {
  auto confined = policy();
  confined.limits.cpu_seconds = 0.2;
  EXPECT_EQ(misbehave_under(confined, {"loop"}).ending, Ending::cpu_limit);
}

TEST_P(Sandbox, KernelStopsAnEndlessLoopThatIsNotWatched) {
  auto confined = policy();
  confined.limits.cpu_seconds = 1;
  confined.limits.watch_interval = 1000;
  EXPECT_EQ(misbehave_under(confined, {"loop"}).ending, Ending::cpu_limit);
}

TEST_P(Sandbox, WaitingForEverIsStoppedAtTheWallLimit) {
  auto confined = policy();
  confined.limits.wall_seconds = 0.2;
  EXPECT_EQ(misbehave_under(confined, {"pause"}).ending, Ending::wall_limit);
}

TEST_P(Sandbox, WaitingWithoutComputingIsStoppedAtTheIdleLimit) {
  auto confined = policy();
  confined.limits.idle_seconds = 0.2;
  EXPECT_EQ(misbehave_under(confined, {"pause"}).ending, Ending::idle_limit);
}

TEST_P(Sandbox, ComputingIsNotIdle) {
  auto confined = policy();
  confined.limits.idle_seconds = 1;  // shorter than what it computes, or this would pass if nobody looked
  confined.limits.cpu_seconds = 3;
  EXPECT_EQ(misbehave_under(confined, {"loop"}).ending, Ending::cpu_limit);
}

TEST_P(Sandbox, AChildThatComputesKeepsAWaitingParentFromBeingIdle) {
  auto confined = policy();
  confined.limits.idle_seconds = 1;
  confined.limits.wall_seconds = 3;
  EXPECT_EQ(misbehave_under(confined, {"loop_in_child"}).ending, Ending::wall_limit);
}

TEST_P(Sandbox, EndlessOutputIsStoppedAndItsBeginningKept) {
  auto confined = policy();
  confined.limits.output = 1 << 20;
  confined.limits.kept_output = 1000;
  const auto exit = misbehave_under(confined, {"flood"});
  EXPECT_EQ(exit.ending, Ending::output_limit);
  EXPECT_EQ(exit.out, std::string(1000, 'x'));
}

TEST_P(Sandbox, SocketsAreRefused) {
  for (const char* danger : {"socket", "unix_socket"}) {
    expect_sigsys(misbehave_under(policy(), {danger}));
    expect_refused(misbehave_under(policy(SeccompProfile::compiler), {danger}));
  }
}

TEST_P(Sandbox, NoProcessCanWakeItselfBySignal) {
  for (const char* danger :
       {"chosen_timer", "chosen_signal", "chosen_signal_above", "continue_self", "continue_thread"}) {
    expect_sigsys(misbehave_under(policy(), {danger}));
    expect_refused(misbehave_under(policy(SeccompProfile::compiler), {danger}));
    expect_refused(misbehave_under(policy(SeccompProfile::device_runner), {danger}));
  }
}

TEST_P(Sandbox, FilesOutsideTheAllowListCannotBeRead) {
  std::ofstream{scratch_.file("secret")} << "expected outputs";
  expect_refused(misbehave_under(policy(), {"read", "/etc/passwd"}));
  expect_refused(misbehave_under(policy(), {"read", scratch_.file("secret")}));
#if !RIDGELINE_SANITIZED
  expect_refused(misbehave_under(policy(), {"read", "/proc/self/status"}));
#endif
  auto admitted = policy().read(scratch_.path());
  EXPECT_TRUE(misbehave_under(admitted, {"read", scratch_.file("secret")}).ok());
}

TEST_P(Sandbox, WritingIsPossibleOnlyInTheScratchFolder) {
  ScratchFolder other;
  std::ofstream{other.file("old")} << "kept";
  auto confined = policy().write(scratch_.path()).read(other.path());
  EXPECT_TRUE(misbehave_under(confined, {"write", scratch_.file("new")}).ok());
  EXPECT_TRUE(std::filesystem::exists(scratch_.file("new")));
  expect_refused(misbehave_under(confined, {"write", other.file("new")}));
  expect_refused(misbehave_under(confined, {"write", "/usr/lib/new"}));
  expect_refused(misbehave_under(confined, {"write", "/new"}));
  EXPECT_EQ(std::filesystem::file_size(other.file("old")), 4u);
}

TEST_P(Sandbox, ProcessesOutsideAreOutOfReach) {
  const std::string parent = std::to_string(::getpid());
  expect_sigsys(misbehave_under(policy(), {"ptrace", parent}));
  expect_refused(misbehave_under(policy(), {"read_memory", parent}));
  expect_refused(misbehave_under(policy().with_proc(ProcAccess::write), {"read_memory", parent}));
  expect_sigsys(misbehave_under(policy(), {"kill", parent}));
  expect_refused(misbehave_under(policy(SeccompProfile::compiler), {"kill", parent}));
  expect_refused(misbehave_under(policy(SeccompProfile::compiler), {"kill_all"}));
}

TEST_P(Sandbox, OwnProcEntriesCanBeAdmitted) {
  EXPECT_TRUE(misbehave_under(policy().with_proc(ProcAccess::read), {"read", "/proc/self/status"}).ok());
}

TEST_P(Sandbox, ADaemonLeftBehindIsGoneWhenWaitReturns) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
  FileDescriptor read{ends[0]}, write{ends[1]};
  const auto exit = misbehave_under(policy(SeccompProfile::compiler), {"leave_daemon"}, {write.get()});
  EXPECT_TRUE(exit.ok()) << describe(exit);
  write.reset();
  char byte;
  EXPECT_EQ(::read(read.get(), &byte, 1), 0) << "a process still holds the other end";
}

TEST_P(Sandbox, ChildDiesWithAKilledParent) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  FileDescriptor read{ends[0]}, write{ends[1]};
  const pid_t parent = ::fork();
  if (parent == 0) {
    auto child = spawn(policy(), {own_program(), "--misbehave", "pause"}, {write.get()});
    ::kill(::getpid(), SIGKILL);  // no destructor runs
  }
  write.reset();
  ::waitpid(parent, nullptr, 0);
  pollfd closed{read.get(), POLLIN, 0};
  ASSERT_EQ(::poll(&closed, 1, 60'000), 1) << "the child still holds the other end";
  char byte;
  EXPECT_EQ(::read(read.get(), &byte, 1), 0);
}

TEST_P(Sandbox, OtherProgramsCannotBeExecuted) {
  expect_refused(misbehave_under(policy(), {"exec", "/usr/bin/env"}));
  expect_refused(misbehave_under(policy().read("/usr/bin"), {"exec", "/usr/bin/env"}));
}

TEST_P(Sandbox, DangerousSystemCallsAreRefused) {
  expect_sigsys(misbehave_under(policy(), {"io_uring"}));
  expect_sigsys(misbehave_under(policy(), {"new_call"}));
  expect_sigsys(misbehave_under(policy(), {"namespace"}));
  expect_refused(misbehave_under(policy(SeccompProfile::compiler), {"io_uring"}));
  expect_refused(misbehave_under(policy(SeccompProfile::compiler), {"namespace"}));
}

TEST_P(Sandbox, ChildInheritsNothing) {
  ::setenv("RIDGELINE_TEST_API_KEY", "secret", 1);
  FileDescriptor open_here{::open("/dev/null", O_RDONLY)};  // without O_CLOEXEC
  FileDescriptor passed{::open("/dev/null", O_RDONLY)};
  auto confined = policy();
  confined.environment = {{"ONLY", "this"}};
#if !RIDGELINE_SANITIZED
  EXPECT_EQ(misbehave_under(confined, {"environment"}).out, "ONLY=this\n");
#endif
  EXPECT_EQ(misbehave_under(policy(), {"descriptors"}, {passed.get()}).out, "0 1 2 3 ");
  ::unsetenv("RIDGELINE_TEST_API_KEY");
}

TEST_P(Sandbox, SegmentationFaultIsReported) {
  auto confined = policy();
  const auto exit = misbehave_under(confined, {"touch_null"});
  EXPECT_EQ(exit.ending, Ending::signalled);
  EXPECT_EQ(exit.code, SIGSEGV);
}

TEST_P(Sandbox, KillTreeEndsAWaitingChild) {
  auto child = spawn(policy(), {own_program(), "--misbehave", "pause"});
  EXPECT_FALSE(child.step(std::chrono::nanoseconds{0}));
  EXPECT_EQ(child.kill_tree().ending, Ending::killed);
  EXPECT_EQ(child.wait().ending, Ending::killed);
}

TEST_P(Sandbox, FirstCauseWins) {
  auto child = spawn(policy(), {own_program(), "--misbehave", "exit", "3"});
  EXPECT_EQ(child.wait().code, 3);
  EXPECT_EQ(child.kill_tree().ending, Ending::exited);
}

TEST_P(Sandbox, SystemProgramsAreAtTheirUsualPaths) {
  auto confined = policy().with_profile(SeccompProfile::compiler).system_programs();
  for (const char* program : {"/bin/true", "/usr/bin/true"})
    EXPECT_TRUE(spawn(confined, {program}).wait().ok()) << program;
  EXPECT_TRUE(spawn(confined, {"/sbin/ldconfig", "-p"}).wait().ok()) << "triton asks it for the driver";
}

TEST_P(Sandbox, StartingAProgramThatCannotBeExecutedThrows) {
  EXPECT_THROW(spawn(policy(), {"/usr/bin/no-such-program"}), MachineCannot);
  EXPECT_THROW(spawn(policy().read("/no/such/folder"), {own_program()}), BadInput);
}

}  // namespace
}  // namespace ridgeline::sandbox
