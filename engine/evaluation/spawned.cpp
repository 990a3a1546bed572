#include "engine/evaluation/spawned.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "engine/core/error.hpp"

namespace ridgeline::evaluation {
namespace {

std::string why(const char* call, int error) {
  return std::string(call) + ": " + std::strerror(error);
}

/// The pipes of a child until they are handed over; closes whatever was not.
struct Pipes {
  std::array<std::array<int, 2>, 3> ends{{{-1, -1}, {-1, -1}, {-1, -1}}};
  Pipes() {
    for (auto& pipe : ends)
      if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
        throw MachineCannot(why("pipe2", errno) + ": raise `ulimit -n`, or run fewer workers");
  }
  ~Pipes() {
    for (const auto& pipe : ends)
      for (const int end : pipe)
        if (end >= 0) ::close(end);
  }
  Pipes(const Pipes&) = delete;  // two owners would close the same numbers twice
  Pipes& operator=(const Pipes&) = delete;

  int child_end(std::size_t stream) const { return ends[stream][stream == 0 ? 0 : 1]; }
  int hand_over(std::size_t stream) { return std::exchange(ends[stream][stream == 0 ? 1 : 0], -1); }
};

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (auto& text : strings) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

Spawned spawn_worker(const WorkerCommand& command) {
  Pipes pipes;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  for (std::size_t stream = 0; stream < 3; ++stream)
    ::posix_spawn_file_actions_adddup2(&actions, pipes.child_end(stream), static_cast<int>(stream));
  sigset_t none, defaults;
  ::sigemptyset(&none);
  ::sigemptyset(&defaults);
  ::sigaddset(&defaults, SIGPIPE);
  ::sigaddset(&defaults, SIGINT);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  // Its own group: Ctrl-C in a terminal is the engine's to handle, and one signal reaches all of a launcher.
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  auto words = command.words;
  auto environment = protocol::inherited_environment(command.environment);
  Spawned child;
  const int error = ::posix_spawnp(&child.pid, words.front().c_str(), &actions, &attributes,
                                   pointers(words).data(), pointers(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0)
    throw MachineCannot("cannot start '" + words.front() + "' (" + std::strerror(error) +
                        "): is it installed, and in PATH? The launcher is the campaign's worker.launcher");
  child.pidfd = static_cast<int>(::syscall(SYS_pidfd_open, child.pid, 0));
  if (child.pidfd < 0) {
    const int failed = errno;
    ::kill(-child.pid, SIGKILL);
    ::waitpid(child.pid, nullptr, 0);
    throw MachineCannot(why("pidfd_open", failed) + ": Linux 5.3 or newer is needed");
  }
  child.input = pipes.hand_over(0);
  child.output = pipes.hand_over(1);
  child.errors = pipes.hand_over(2);
  return child;
}

std::string reap(int pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return why("waitpid", errno);
  if (WIFSIGNALED(status)) return "killed by signal " + std::to_string(WTERMSIG(status));
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace ridgeline::evaluation
