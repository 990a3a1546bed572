#include "engine/posix/start_child.hpp"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace ridgeline::posix {
namespace {

/// In the child, which shares this process's memory: system calls alone, and no return.
[[noreturn, gnu::noinline]] void become(const StartPlan& plan, volatile int& error) {
  const auto fail = [&error] {
    error = errno;
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

}  // namespace

Started start_child(const StartPlan& plan) {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  volatile int error = 0;       // written by the child
  const pid_t pid = ::vfork();  // NOLINT(bugprone-unsafe-functions): start_child.hpp says why
  if (pid == 0) become(plan, error);
  const int failed = pid < 0 ? errno : error;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid > 0 && failed != 0)
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
  return {failed == 0 ? pid : -1, failed};
}

}  // namespace ridgeline::posix
