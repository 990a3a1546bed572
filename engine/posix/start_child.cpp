#include "engine/posix/start_child.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::posix {
namespace {

/// In the child, which shares this process's memory: system calls alone, and no return.
[[noreturn, gnu::noinline]] void become(const StartPlan& plan, int report) {
  const auto fail = [report] {
    const int error = errno;
    // The report is a pipe's, so that four bytes are written whole or not at all.
    if (::write(report, &error, sizeof error) < 0) ::_exit(126);
    ::_exit(127);
  };
  ::setpgid(0, 0);
  if (plan.death_signal != 0) {
    ::prctl(PR_SET_PDEATHSIG, plan.death_signal);
    if (::getppid() != plan.parent) ::_exit(127);  // the parent died before the line above
  }
  for (const auto& [here, there] : plan.descriptors)
    if (::dup2(here, there) < 0) fail();
  if (plan.working_folder && ::chdir(plan.working_folder) != 0) fail();
  // The parent's handlers were blocked for the fork: first none is left that could run here, in its memory.
  struct sigaction action{};
  for (const int signal : {SIGINT, SIGPIPE, SIGQUIT, SIGTERM}) {
    action.sa_handler = SIG_DFL;
    ::sigaction(signal, &action, nullptr);
  }
  for (int signal = 1; signal < NSIG; ++signal)
    if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_DFL &&
        action.sa_handler != SIG_IGN) {
      action.sa_handler = SIG_DFL;
      action.sa_flags = 0;
      ::sigaction(signal, &action, nullptr);
    }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execvpe(plan.words[0], plan.words, plan.environment);
  fail();
  ::_exit(127);
}

/// Returns the errno that the child reported; 0 if exec closed the pipe before it did. ThreadSanitizer, and
/// some kernels in user space, make a vfork a fork: a variable that the child writes would then stay the
/// child's, and the parent comes here before the child's exec.
int reported_error(int pipe) {
  int error = 0;
  ssize_t count = 0;
  do count = ::read(pipe, &error, sizeof error);
  while (count < 0 && errno == EINTR);
  return count == sizeof error ? error : 0;
}

}  // namespace

Started start_child(const StartPlan& plan) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {-1, errno};
  const FileDescriptor read_end(ends[0]);
  FileDescriptor write_end(ends[1]);
  // Moved above the numbers that the child is to have, or one of them would close it.
  int first_free = STDERR_FILENO + 1;
  for (const auto& [here, there] : plan.descriptors) first_free = std::max(first_free, there + 1);
  write_end.reset(::fcntl(write_end.get(), F_DUPFD_CLOEXEC, first_free));
  if (!write_end) return {-1, errno};
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::vfork();  // NOLINT(bugprone-unsafe-functions): start_child.hpp says why
  if (pid == 0) become(plan, write_end.get());
  int failed = pid < 0 ? errno : 0;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  write_end.reset();
  if (pid > 0) failed = reported_error(read_end.get());
  if (pid > 0 && failed != 0)
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
  return {failed == 0 ? pid : -1, failed};
}

}  // namespace ridgeline::posix
