// Small programs of the shell, each of which shows one promise of ChildProcess.
#include "engine/posix/child_process.hpp"

#include <gmock/gmock.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "engine/core/error.hpp"
#include "engine/posix/pipe.hpp"

namespace ridgeline::posix {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr auto kLongest = 60s;  // for what takes milliseconds on an idle machine

ChildCommand shell(const std::string& script) {
  return {.words = {"/bin/sh", "-c", script}, .environment = {"PATH=/usr/bin:/bin"}};
}

std::string read_all(int descriptor) {
  std::string text;
  char block[4096];
  for (ssize_t got; (got = ::read(descriptor, block, sizeof block)) > 0;)
    text.append(block, static_cast<std::size_t>(got));
  return text;
}

std::string output_of(ChildCommand command) {
  auto [read, write] = make_pipe();
  command.descriptors.push_back({write.get(), STDOUT_FILENO});
  ChildProcess child(command);
  write.reset();
  auto text = read_all(read.get());
  child.wait();
  return text;
}

TEST(ChildProcess, ReportsItsExitStatus) {
  EXPECT_EQ(ChildProcess(shell("exit 3")).wait(), (ChildExit{false, 3}));
}

TEST(ChildProcess, ReportsTheSignalThatEndedIt) {
  EXPECT_EQ(ChildProcess(shell("kill -TERM $$")).wait(), (ChildExit{true, SIGTERM}));
}

TEST(ChildProcess, HasNoDescriptorOfOursButThoseNamed) {
  const auto [read, write] = make_pipe();
  const auto looked_for = "/proc/self/fd/" + std::to_string(write.get());
  EXPECT_EQ(output_of(shell("test -e " + looked_for + " && echo there || echo none")), "none\n");
  auto command = shell("test -e " + looked_for + " && echo there || echo none");
  command.descriptors = {{write.get(), write.get()}};
  EXPECT_EQ(output_of(command), "there\n");
}

TEST(ChildProcess, MayBeGivenDescriptorsWhoseNumbersAreSwapped) {
  auto first = make_pipe(), second = make_pipe();
  auto command = shell("echo one >&$ONE; echo two >&$TWO");
  const int one = first.write.get(), two = second.write.get();
  ASSERT_LT(std::max(one, two), 10) << "the shell writes to numbers of one digit";
  command.environment = {"ONE=" + std::to_string(two), "TWO=" + std::to_string(one)};
  command.descriptors = {{one, two}, {two, one}};
  ChildProcess child(command);
  first.write.reset();
  second.write.reset();
  EXPECT_EQ(read_all(first.read.get()), "one\n");
  EXPECT_EQ(read_all(second.read.get()), "two\n");
}

TEST(ChildProcess, HasExactlyTheGivenEnvironment) {
  EXPECT_EQ(output_of({.words = {"env"}, .environment = {"A=1", "B=two words"}}), "A=1\nB=two words\n");
}

TEST(ChildProcess, RunsInItsWorkingFolder) {
  auto command = shell("pwd");
  command.working_folder = "/usr";
  EXPECT_EQ(output_of(command), "/usr\n");
}

TEST(ChildProcess, LeadsAProcessGroup) {
  const ChildProcess child(shell("read line"));
  EXPECT_EQ(::getpgid(child.pid()), child.pid());
}

TEST(ChildProcess, BeginsWithNoSignalBlockedAndNoHandlerOfItsParent) {
  sigset_t usr1, before;
  ::sigemptyset(&usr1);
  ::sigaddset(&usr1, SIGUSR1);
  ::pthread_sigmask(SIG_BLOCK, &usr1, &before);
  const auto old_pipe = ::signal(SIGPIPE, SIG_IGN);
  const auto end = ChildProcess(shell("kill -USR1 $$; exit 0")).wait();
  const auto broken = ChildProcess(shell("kill -PIPE $$; exit 0")).wait();
  ::signal(SIGPIPE, old_pipe);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(end, (ChildExit{true, SIGUSR1}));
  EXPECT_EQ(broken, (ChildExit{true, SIGPIPE}));
}

TEST(ChildProcess, AProgramThatIsNotThereIsAnErrorWithTheAdvice) {
  try {
    ChildProcess({.words = {"no-such-program-here"}, .environment = {}, .advice = ": is it installed?"});
    FAIL() << "it was started";
  } catch (const MachineCannot& error) {
    EXPECT_STREQ(error.what(),
                 "cannot start 'no-such-program-here' (No such file or directory): is it installed?");
  }
}

TEST(ChildProcess, AFolderThatIsNotThereIsAnErrorToo) {
  auto command = shell("exit 0");
  command.working_folder = "/no/such/folder";
  EXPECT_THROW(ChildProcess{command}, MachineCannot);
}

TEST(ChildProcess, EndsWithinItsPatienceOrNot) {
  auto [read, write] = make_pipe();
  auto command = shell("read line; exit 7");
  command.descriptors = {{read.get(), STDIN_FILENO}};
  ChildProcess child(command);
  EXPECT_FALSE(child.ends_within(0ms));
  write.reset();
  EXPECT_TRUE(child.ends_within(kLongest));
  EXPECT_EQ(child.end(), (ChildExit{false, 7})) << "its own end came first";
}

TEST(ChildProcess, TakesWhatItHasStartedWithIt) {
  auto [read, write] = make_pipe();
  auto command = shell("sleep 1000 & echo ready; wait");
  command.descriptors = {{write.get(), STDOUT_FILENO}};
  {
    const ChildProcess child(command);
    write.reset();
    char ready[6] = {};
    ASSERT_EQ(::read(read.get(), ready, sizeof ready), 6);
  }
  // The pipe ends once nobody holds its other end: neither the shell nor its sleep.
  EXPECT_EQ(read_all(read.get()), "");
}

TEST(ChildProcess, DiesWithTheThreadThatStartedItIfAskedTo) {
  auto command = shell("sleep 1000");
  command.death_signal = SIGKILL;
  ChildProcess child;
  std::thread([&] { child = ChildProcess(command); }).join();
  ASSERT_TRUE(child.ends_within(kLongest));
  EXPECT_EQ(child.wait(), (ChildExit{true, SIGKILL}));
}

TEST(ChildProcess, AMovedOneIsWaitedForOnce) {
  ChildProcess first(shell("exit 0"));
  ChildProcess second(std::move(first));
  EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): that it holds none is what is tested
  EXPECT_TRUE(second.wait().ok());
  EXPECT_FALSE(second);
}

}  // namespace
}  // namespace ridgeline::posix
